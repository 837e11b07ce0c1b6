// Renders templates with Go's text/template: one job as JSON a line, one result as JSON a line.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"text/template"
)

type job struct {
	Template string
	Data     map[string]any
}

func render(line []byte) (string, error) {
	var given job
	if err := json.Unmarshal(line, &given); err != nil {
		return "", err
	}
	compiled, err := template.New("").Parse(given.Template)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = compiled.Execute(&out, given.Data)
	return out.String(), err
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	results := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		text, err := render(lines.Bytes())
		if err != nil {
			results.Encode(map[string]string{"error": err.Error()})
		} else {
			results.Encode(map[string]string{"value": text})
		}
	}
}
