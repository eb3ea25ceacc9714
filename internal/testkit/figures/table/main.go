// Command table prints the figures of a file that benchmarks wrote, as one table. It exits with status 1 if a figure
// missed its target or the file has no figures.
package main

import (
	"fmt"
	"os"

	"moonfund/internal/testkit/figures"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: table FILE")
		os.Exit(2)
	}
	missed, err := printTable(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if missed > 0 {
		fmt.Fprintf(os.Stderr, "%d figures missed their target.\n", missed)
		os.Exit(1)
	}
}

func printTable(path string) (missed int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	all, err := figures.Read(file)
	if err != nil {
		return 0, err
	}
	if len(all) == 0 {
		return 0, fmt.Errorf("%s has no figures", path)
	}
	return figures.Print(os.Stdout, all)
}
