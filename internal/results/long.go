package results

// Long is the table of all rows of an experiment.
func Long(experiment string, rows []Row) *Table {
	return &Table{
		Columns: Columns("study:text series:text network:text n:whole seed:whole x:real metric:text value:real"),
		Rows: func(row func(...any)) {
			for i := range rows {
				r := &rows[i]
				var seed any = r.Seed
				if r.Seed == 0 {
					seed = nil
				}
				row(experiment, r.Series, r.Network, r.N, seed, r.X, r.Metric, r.Value)
			}
		},
	}
}

// Means is the table of their means.
func Means(experiment string, rows []Row) *Table {
	return &Table{
		Columns: Columns(
			"study:text series:text network:text n:whole x:real metric:text mean:real sd:real std_err:real " +
				"valued:whole runs:whole",
		),
		Rows: func(row func(...any)) {
			for _, p := range Points(rows) {
				if p.Mean.N < 2 {
					p.Mean.SD, p.Mean.StdErr = None, None
				}
				row(
					experiment,
					p.Series,
					p.Network,
					p.N,
					p.X,
					p.Metric,
					p.Value,
					p.Mean.SD,
					p.Mean.StdErr,
					p.Mean.N,
					p.Runs,
				)
			}
		}}
}
