package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (f *checkFlags) checkAll(cmd *cobra.Command) error { return fmt.Errorf("not yet") }
