package check

// EveryOrder is a configuration with which a search leaves no order of deliveries out.
func EveryOrder(c Config) Config {
	c.everyOrder = true
	return c
}
