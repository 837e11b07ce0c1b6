// Checks a .tlog-proof with the packages of Go's checksum database: verify_proof KEY LINE PROOF.
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return value
}

func main() {
	key := must(note.NewVerifier(os.Args[1]))
	line := must(os.ReadFile(os.Args[2]))
	head, checkpoint, _ := strings.Cut(string(must(os.ReadFile(os.Args[3]))), "\n\n")
	signed := must(note.Open([]byte(checkpoint), note.VerifierList(key)))
	text := strings.Split(signed.Text, "\n")
	var size, index int64
	must(fmt.Sscan(text[1], &size))
	root := must(tlog.ParseHash(text[2]))
	var proof tlog.RecordProof
	for i, row := range strings.Split(head, "\n") {
		if i == 1 {
			must(fmt.Sscanf(row, "index %d", &index))
		} else if i > 1 {
			proof = append(proof, must(tlog.ParseHash(row)))
		}
	}
	must(0, tlog.CheckRecord(proof, size, root, index, tlog.RecordHash(line)))
	fmt.Printf("line %d of %d\n", index, size)
}
