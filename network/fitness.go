package network

import (
	"strconv"
	"strings"

	"caucus.example/caucus"
)

// Fitness weighs what makes a device fit to lead. All four are shares from 0 to 1: battery is the
// charge that is left, cpu the speed beside the fastest device, memory what is free, load the share of time that the
// processor is busy, which counts against it.
type Fitness struct{ Battery, CPU, Memory, Load float64 }

// DefaultFitness lets the battery weigh as much as any two of the others: to lead costs energy.
var DefaultFitness = Fitness{Battery: 4, CPU: 2, Memory: 2, Load: 2}

// Of is the weighted mean, from 0 to 1.
func (f Fitness) Of(battery, cpu, memory, load float64) float64 {
	return (float64(f.Battery*battery) + float64(f.CPU*cpu) + float64(f.Memory*memory) + float64(f.Load*(1-load))) /
		(f.Battery + f.CPU + f.Memory + f.Load)
}

const fitnessWeights = "battery=W,cpu=W,memory=W,load=W with weights >= 0, not all 0"

// parseFitness reads weights; those not named have their defaults.
func parseFitness(text string) (Fitness, error) {
	f := DefaultFitness
	fields := map[string]*float64{"battery": &f.Battery, "cpu": &f.CPU, "memory": &f.Memory, "load": &f.Load}
	for _, pair := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		name, value, _ := strings.Cut(pair, "=")
		x, err := strconv.ParseFloat(value, 64)
		if fields[name] == nil || err != nil || !(x >= 0 && x <= 1e6) {
			return f, caucus.Wrong("weight of fitness", pair, fitnessWeights)
		}
		*fields[name] = x
	}
	if f.Battery+f.CPU+f.Memory+f.Load == 0 {
		return f, caucus.Wrong("weight of fitness", text, fitnessWeights)
	}
	return f, nil
}
