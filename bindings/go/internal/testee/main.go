// Answers for bindings/languages/vectors.py, a line for each line of the standard input: bindings/csharp/tests/Testee.cs says which.
// With files as arguments it prints the microseconds of decoding and encoding each, for bench.py.
package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gdvar"
)

func answer(line string) string {
	var dialect, packet string
	var flags int
	var limits gdvar.Limits
	if _, err := fmt.Sscanf(line, "%s %d %d %d %d %s", &dialect, &flags, &limits.Depth, &limits.Bytes, &limits.Values, &packet); err != nil && !strings.HasSuffix(line, " ") {
		return err.Error()
	}
	data, err := hex.DecodeString(packet)
	if err != nil {
		return err.Error()
	}
	options := &gdvar.Options{Dialect: dialect, Limits: limits, AllowObjects: flags&1 != 0, Strict: flags&2 != 0}
	value, size, err := gdvar.DecodeSome(data, options)
	var refused *gdvar.Error
	if errors.As(err, &refused) {
		name := "-"
		if refused.Type != gdvar.TypeNil {
			name = fmt.Sprint(uint8(refused.Type))
		}
		return fmt.Sprintf("%s\t%d\t%d\t%s\t%s", refused.Code, refused.Offset, refused.Need, name, refused.Path)
	}
	again, err := gdvar.Encode(value, options)
	if errors.As(err, &refused) {
		return fmt.Sprintf("unwritten\t%s\t%s", refused.Code, refused.Path)
	}
	return fmt.Sprintf("ok %d %x", size, again)
}

// best gives that of many calls, in microseconds.
func best(call func()) float64 {
	least, all := time.Hour, time.Now()
	for calls := 0; time.Since(all) < time.Second/2 || calls < 5; calls++ {
		before := time.Now()
		call()
		least = min(least, time.Since(before))
	}
	return float64(least.Nanoseconds()) / 1000
}

func main() {
	for _, file := range os.Args[1:] {
		packet, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		value, _ := gdvar.Decode(packet, nil)
		fmt.Printf("%.1f %.1f\n", best(func() { gdvar.Decode(packet, nil) }), best(func() { gdvar.Encode(value, nil) }))
	}
	if len(os.Args) > 1 {
		return
	}
	input := bufio.NewReader(os.Stdin)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for {
		line, err := input.ReadString('\n')
		if err != nil {
			return
		}
		fmt.Fprintln(output, answer(strings.TrimSuffix(line, "\n")))
	}
}
