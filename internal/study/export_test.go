package study

// Real starts real agents. Package lab imports this one: a test from outside says it.
var Real Start
