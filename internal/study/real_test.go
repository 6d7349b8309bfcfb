package study_test

import (
	"caucus.example/caucus/internal/lab"
	"caucus.example/caucus/internal/study"
)

func init() { study.Real = lab.Start }
