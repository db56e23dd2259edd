// xurls (Go) in strict mode. Built by `install` as bin/xurls.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"mvdan.cc/xurls"
)

// version is set by the linker.
var version = "unknown"

type request struct {
	ID    string  `json:"id"`
	Text  *string `json:"text"`
	Bytes string  `json:"bytes"`
}

type link struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	URL   string `json:"url"`
}

type answer struct {
	ID   string `json:"id"`
	URLs []link `json:"urls"`
}

func main() {
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	if len(os.Args) > 1 && os.Args[1] == "--about" {
		output.Encode(map[string]any{
			"name": "xurls", "version": version, "levels": []int{1, 2, 5, 7},
			"settings": "Strict()",
			"claims":   "URLs with a scheme in plain text, registered schemes, Unicode",
		})
		return
	}
	strict := xurls.Strict()
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			var r request
			if err := json.Unmarshal(line, &r); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			text, _ := base64.StdEncoding.DecodeString(r.Bytes)
			if r.Text != nil {
				text = []byte(*r.Text)
			}
			a := answer{ID: r.ID, URLs: []link{}}
			for _, at := range strict.FindAllIndex(text, -1) {
				a.URLs = append(a.URLs, link{at[0], at[1], string(text[at[0]:at[1]])})
			}
			output.Encode(a)
		}
		if err != nil {
			return
		}
	}
}
