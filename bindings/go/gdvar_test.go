package gdvar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

// code is that of an error; "": there is none.
func code(err error) string {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.Code
	}
	return fmt.Sprint(err)
}

func written(t *testing.T, value any) []byte {
	t.Helper()
	packet, err := Encode(value, nil)
	if err != nil {
		t.Fatal(err)
	}
	return packet
}

// vectors gives the packets that Godot 4.6.3 wrote.
func vectors(t *testing.T) (packets [][]byte) {
	t.Helper()
	lines, err := os.ReadFile("../../tests/data/vectors/godot-4.6.3.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		var row struct{ Bytes string }
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if row.Bytes == "" {
			continue
		}
		var packet []byte
		if _, err := fmt.Sscanf(row.Bytes, "%x", &packet); err != nil {
			t.Fatal(err)
		}
		packets = append(packets, packet)
	}
	return packets
}

func TestValuesComeBack(t *testing.T) {
	value := Dict(
		"name", "Ada", "hp", int64(100), StringName("speed"), 0.5, "pos", Vector3{1, 2, 3}, "wide", Vector2d{0.1, 1},
		"path", NodePath{Names: []string{"root", "x"}, Subnames: []string{"y"}, Absolute: true},
		"bag", []Value{nil, true, "rope"}, "typed", &Array{Type: Of(TypeVector2i), Elements: []Value{Vector2i{1, -2}}},
		"bytes", []byte{1, 2}, "floats", []float32{0.5, float32(math.Inf(1))}, "names", []string{"a", ""}, "points", []Vector3{{1, 2, 3}},
		"turn", Transform3D{Basis{Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}}, Vector3{4, 5, 6}}, "id", ObjectID(7), "signal", Signal{"", 0},
	)
	packet := written(t, value)
	again, size, err := DecodeSome(append(packet, 1, 2, 3), nil)
	if err != nil || size != len(packet) || !reflect.DeepEqual(again, value) {
		t.Fatalf("%v %d\n%#v", err, size, again)
	}
	if taken, err := Validate(packet, nil); err != nil || taken != len(packet) {
		t.Fatal(taken, err)
	}
	if found := again.(*Dictionary).Get("speed"); found != 0.5 {
		t.Fatal(found)
	}
	if shown := fmt.Sprint(Dict("a", []Value{int64(1), Dict("b", nil), Vector2{1, 2}})); shown != "{a: [1, {b: <nil>}, {1 2}]}" {
		t.Fatal(shown)
	}
	cycle := Dict("a", nil)
	cycle.Pairs[0].Value = cycle
	if shown := cycle.String(); shown != "{a: {a: {a: {a: {a: ...}}}}}" {
		t.Fatal(shown)
	}
	if shown := fmt.Sprint((*Dictionary)(nil), Dict("a", (*Dictionary)(nil))); shown != "<nil> {a: <nil>}" {
		t.Fatal(shown)
	}
	if _, there := value.Find("nothing"); there {
		t.Fatal("found nothing")
	}
}

func TestErrors(t *testing.T) {
	packet := written(t, Dict("players", []Value{Dict("pos", Vector3{1, 2, 3})}))
	_, err := Decode(packet[:len(packet)-4], nil)
	var refused *Error
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	if refused.Code != "truncated" || refused.Kind != "bytes" || refused.Path != "$.players[0].pos" || refused.Offset != uint64(len(packet)-16) ||
		refused.Need != 4 || refused.Type != TypeVector3 || refused.Type.String() != "Vector3" || !strings.Contains(err.Error(), "$.players[0].pos: error[truncated]") {
		t.Fatalf("%+v of %d", *refused, len(packet))
	}
	deep := written(t, []Value{})
	for range 100 {
		deep = append(append([]byte{}, 28, 0, 0, 0, 1, 0, 0, 0), deep...)
	}
	if _, err := Decode(deep, &Options{Limits: Network}); code(err) != "depth_limit" {
		t.Fatal(err)
	}
	if _, err := Decode(deep, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(nil, nil); code(err) != "truncated" {
		t.Fatal(err)
	}
	if _, err := Decode(packet, &Options{Dialect: "godot-99"}); code(err) != "unknown_name" {
		t.Fatal(err)
	}
}

// Each code of this package is one of docs/errors.md, with its kind.
func TestCodes(t *testing.T) {
	sources, _ := filepath.Glob("*.go")
	seen := 0
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`(?:refusal|s\.refuse)\("(\w+)"`).FindAllSubmatch(text, -1) {
			if seen++; kinds[string(found[1])] == "" {
				t.Errorf("%s: there is no code %s", source, found[1])
			}
		}
	}
	if seen < 15 {
		t.Error("found", seen)
	}
}

// Values that Decode gives as pointers may be given without.
func TestValuesWithoutPointers(t *testing.T) {
	options := &Options{AllowObjects: true}
	old := &Options{Dialect: "godot-1.0"}
	type fields struct {
		D Dictionary
		A Array
		O Object
	}
	filled := fields{*Dict("k", int64(1)), Array{Type: Of(TypeInt), Elements: []Value{int64(1)}}, Object{"Node", []Pair{{"x", int64(2)}}}}
	for _, each := range []struct {
		value, pointer any
		options        *Options
	}{
		{filled.D, &filled.D, nil},
		{filled.A, &filled.A, nil},
		{filled.O, &filled.O, options},
		{[]Dictionary{filled.D}, []Value{&filled.D}, nil},
		{filled, Dict("D", &filled.D, "A", &filled.A, "O", &filled.O), options},
		{Image{Width: 1, Height: 1, Data: []byte{1}}, &Image{Width: 1, Height: 1, Data: []byte{1}}, old},
		{InputEvent{Type: 1, Words: []uint32{2, 3}}, &InputEvent{Type: 1, Words: []uint32{2, 3}}, old},
		{(*Image)(nil), nil, old},
		{(*InputEvent)(nil), nil, old},
	} {
		packet, err := Encode(each.value, each.options)
		other, otherErr := Encode(each.pointer, each.options)
		if err != nil || otherErr != nil || !bytes.Equal(packet, other) {
			t.Errorf("%#v: %v %v", each.value, err, otherErr)
		}
	}
	packet, _ := Encode(filled, options)
	var again fields
	if err := Unmarshal(packet, &again, options); err != nil || !reflect.DeepEqual(again, filled) {
		t.Fatal(err, again)
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	cycle := []Value{nil}
	cycle[0] = cycle
	for _, each := range []struct {
		value any
		code  string
		path  string
	}{
		{[]Value{Dict("a", make(chan int))}, "wrong_type", "$[0].a"},
		{Dict("t", time.Now()), "wrong_type", "$.t"},
		{Dict("n", uint64(math.MaxUint64)), "number_out_of_range", "$.n"},
		{&Object{Class: "Node"}, "objects_forbidden", "$"},
		{[]Value{"ok", "\xff"}, "bad_utf8", "$[1]"},
		{&Object{Class: "Node", Properties: []Pair{{1, 2}}}, "objects_forbidden", "$"},
		{Dict("a b", make(chan int)), "wrong_type", `$["a b"]`},
		{Dict(5, []Value{nil, Dict("", make(chan int))}), "wrong_type", `$[5][1][""]`},
		{Dict(StringName("x"), func() {}), "wrong_type", "$.x"},
		{Dict(1, "\xff", 2, make(chan int)), "bad_utf8", "$[1]"},
		{make(chan int), "wrong_type", "$"},
		{[]Value{&Array{Type: &ContainerType{Kind: 9}}}, "misplaced", "$[0]"},
	} {
		_, err := Encode(each.value, nil)
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != each.code || refused.Path != each.path {
			t.Errorf("%v: %v", each, err)
		}
	}
	_, err := Encode(&Object{Class: "Node", Properties: []Pair{{1, 2}}}, &Options{AllowObjects: true})
	if code(err) != "wrong_type" {
		t.Fatal(err)
	}
	type pointer *pointer
	var itself pointer
	itself = &itself
	for _, each := range []any{cycle, itself} {
		if _, err := Encode(each, nil); code(err) != "depth_limit" {
			t.Fatal(err)
		}
	}
	if _, err := Encode(Dict("b", 1), &Options{Dialect: "godot-1.0"}); err != nil {
		t.Fatal(err)
	}
	if _, err := Encode(Vector4{}, &Options{Dialect: "godot3"}); code(err) != "not_in_dialect" {
		t.Fatal(err)
	}
}

type level int
type item struct {
	Name  string `gdvar:"name"`
	Count uint8  `gdvar:"count,omitempty"`
	cache int
}
type player struct {
	item
	Name  string            `gdvar:"name"`
	HP    *float64          `gdvar:"hp"`
	Pos   Vector3           `gdvar:"pos"`
	Level level             `gdvar:"level"`
	Bag   []item            `gdvar:"bag"`
	Marks map[string]int    `gdvar:"marks"`
	Raw   []byte            `gdvar:"raw"`
	Rest  Value             `gdvar:"rest"`
	Left  string            `gdvar:"-"`
	Tags  map[level]float32 `gdvar:"-"`
}

func TestStructs(t *testing.T) {
	hp := 7.5
	ada := player{Name: "Ada", HP: &hp, Pos: Vector3{1, 2, 3}, Level: 3, Bag: []item{{Name: "rope"}, {Name: "key", Count: 2}},
		Marks: map[string]int{"b": 2, "a": 1}, Raw: []byte{1}, Rest: Vector2i{1, 2}, Left: "here"}
	packet := written(t, ada)
	var again player
	if err := Unmarshal(packet, &again, nil); err != nil {
		t.Fatal(err)
	}
	ada.Left = ""
	if !reflect.DeepEqual(again, ada) {
		t.Fatalf("%+v", again)
	}
	value, _ := Decode(packet, nil)
	if got := value.(*Dictionary).Get("marks"); !reflect.DeepEqual(got, Dict("a", int64(1), "b", int64(2))) {
		t.Fatalf("%#v", got)
	}
	for _, wrong := range []struct {
		value any
		code  string
		path  string
	}{
		{Dict("bag", []Value{Dict("count", 300)}), "number_out_of_range", "$.bag[0].count"},
		{Dict("pos", "here"), "wrong_type", "$.pos"},
		{Dict("level", nil), "wrong_type", "$.level"},
		{Dict("hp", int64(1<<53+1)), "number_out_of_range", "$.hp"},
		{Dict("marks", Dict(1, 2)), "wrong_type", "$.marks"},
		{Dict("bag", []byte{1}), "wrong_type", "$.bag"},
	} {
		err := Unmarshal(written(t, wrong.value), &player{}, nil)
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != wrong.code || refused.Path != wrong.path {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	if err := Unmarshal(packet, again, nil); code(err) != "wrong_type" {
		t.Fatal(err)
	}
	var exact struct{ X float32 }
	if err := Unmarshal(written(t, Dict("X", 1<<24+1)), &exact, nil); code(err) != "number_out_of_range" {
		t.Fatal(exact, err)
	}
	var marks map[string]string
	var refused *Error
	if err := Unmarshal(written(t, Dict("a b", 5)), &marks, nil); !errors.As(err, &refused) || refused.Path != `$["a b"]` {
		t.Fatal(err)
	}
	var numbers []float32
	if err := Unmarshal(written(t, []Value{1, 0.5}), &numbers, nil); err != nil || !reflect.DeepEqual(numbers, []float32{1, 0.5}) {
		t.Fatal(numbers, err)
	}
	if err := Unmarshal(written(t, []Value{1e300}), &numbers, nil); code(err) != "number_out_of_range" {
		t.Fatal(err)
	}
}

type HP int
type Base struct{ ID int }
type base struct{ Level int }
type Embeds struct {
	HP
	*Base
	Name string
}

func TestEmbedded(t *testing.T) {
	packet := written(t, Embeds{5, &Base{7}, "a"})
	value, _ := Decode(packet, nil)
	var again Embeds
	if err := Unmarshal(packet, &again, nil); err != nil || again.HP != 5 || again.Base == nil || again.ID != 7 || fmt.Sprint(value) != "{HP: 5, ID: 7, Name: a}" {
		t.Fatal(again, err, value)
	}
	var hidden struct{ *base }
	var refused *Error
	if err := Unmarshal(written(t, Dict("Level", 1)), &hidden, nil); !errors.As(err, &refused) || refused.Code != "wrong_type" || refused.Path != "$.Level" {
		t.Fatal(err)
	}
}

func TestMapsAreSorted(t *testing.T) {
	for range 20 {
		for _, each := range []struct {
			value any
			shown string
		}{
			{map[uint]int{9: 1, 10: 2, 100: 3}, "{9: 1, 10: 2, 100: 3}"},
			{map[float32]int{9.5: 1, 10: 2, -1: 3}, "{-1: 3, 9.5: 1, 10: 2}"},
			{map[any]int{1.5: 1, "0": 2, "3": 3, 10: 4, 9: 5, true: 6, StringName("0"): 7, nil: 8}, "{<nil>: 8, true: 6, 9: 5, 10: 4, 1.5: 1, 0: 7, 0: 2, 3: 3}"},
			{map[float64]int{math.NaN(): 1}, "{NaN: 1}"},
		} {
			value, err := Decode(written(t, each.value), nil)
			if err != nil || fmt.Sprint(value) != each.shown {
				t.Fatal(value, err)
			}
		}
	}
}

// Packets are read the same way on machines with the other order of bytes.
func TestByteOrders(t *testing.T) {
	if !isLittle {
		t.Skip("this machine is big-endian")
	}
	defer func() { isLittle = true }()
	for _, packet := range vectors(t) {
		isLittle = true
		value, err := Decode(packet, &Options{AllowObjects: true})
		isLittle = false
		other, otherErr := Decode(packet, &Options{AllowObjects: true})
		again, encodeErr := Encode(other, &Options{AllowObjects: true})
		if err != nil || otherErr != nil || encodeErr != nil || !bytes.Equal(again, packet) {
			t.Fatalf("%x: %v %v %v %#v %#v", packet, err, otherErr, encodeErr, value, other)
		}
	}
}

func TestManyGoroutines(t *testing.T) {
	packets := vectors(t)
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for j := range packets {
				packet := packets[(i*31+j)%len(packets)]
				value, err := Decode(packet, &Options{AllowObjects: true})
				if err != nil {
					t.Error(err)
					return
				}
				if again, err := Encode(value, &Options{AllowObjects: true}); err != nil || !bytes.Equal(again, packet) {
					t.Errorf("%x: %v", packet, err)
					return
				}
			}
		})
	}
	all.Wait()
}

// A call that needs more memory than an instance may have is an error, and the next one works.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 1.5 GiB")
	}
	if _, err := Encode(make([]byte, mostMemory/2), nil); code(err) != "no_memory" {
		t.Fatal(err)
	}
	if _, err := Decode(make([]byte, mostMemory+1), nil); code(err) != "no_memory" {
		t.Fatal(err)
	}
	large := make([]float32, 16<<20)
	value, err := Decode(written(t, large), nil)
	if err != nil || len(value.([]float32)) != len(large) {
		t.Fatal(err)
	}
	for range cap(pool) {
		m := <-pool
		if m != nil && m.memory.Size() > mostKept {
			t.Error("a large instance was kept")
		}
		pool <- m
	}
}

func TestDialects(t *testing.T) {
	all, err := Dialects()
	if err != nil || len(all) < 13 || all[0].Title == "" || len(all[0].Types) < 38 {
		t.Fatal(all, err)
	}
	for _, one := range all {
		if _, err := Decode([]byte{0, 0, 0, 0}, &Options{Dialect: one.Name}); err != nil {
			t.Error(one.Name, err)
		}
	}
}

// pipe has a Stream of a connection, and the other end.
func pipe(t *testing.T, options *Options) (*Stream, net.Conn) {
	ours, theirs := net.Pipe()
	t.Cleanup(func() { ours.Close(); theirs.Close() })
	theirs.SetDeadline(time.Now().Add(10 * time.Second))
	return NewStream(ours, options), theirs
}

func TestStream(t *testing.T) {
	for _, big := range []bool{false, true} {
		ours, theirs := pipe(t, nil)
		other := NewStream(theirs, nil)
		ours.BigEndian, other.BigEndian = big, big
		go func() {
			for i := range 3 {
				ours.PutVar(Dict("i", i))
			}
			ours.PutPacket([]byte{255, 0, 0, 0})
			ours.PutVar("end")
		}()
		for i := range 3 {
			if value, err := other.GetVar(); err != nil || value.(*Dictionary).Get("i") != int64(i) {
				t.Fatal(value, err)
			}
		}
		if _, err := other.GetVar(); code(err) != "unknown_type" || other.Lost() {
			t.Fatal(err)
		}
		if value, err := other.GetVar(); err != nil || value != "end" {
			t.Fatal(value, err)
		}
	}
}

// A file that store_var wrote is such a stream.
func TestFileOfRecords(t *testing.T) {
	file, err := os.Open("../../tests/data/saves/godot-4.6.3/plain.save")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records := NewStream(file, nil)
	for range 3 {
		if _, err := records.GetVar(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := records.GetVar(); err != io.EOF {
		t.Fatal(err)
	}
}

func TestHostileStreams(t *testing.T) {
	for _, each := range []struct {
		bytes  []byte
		code   string
		offset uint64
		need   uint64
	}{
		{nil, "EOF", 0, 0},
		{[]byte{4, 0}, "truncated", 0, 2},
		{[]byte{4, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 1}, "truncated", 8, 7},
		{[]byte{0, 0, 0x20, 0}, "size_limit", 0, 0},
		{[]byte{4, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}, "bad_length", 8, 0},
	} {
		ours, theirs := pipe(t, nil)
		go func() { theirs.Write(each.bytes); theirs.Close() }()
		var err error
		for err == nil {
			_, err = ours.GetVar()
		}
		var refused *Error
		errors.As(err, &refused)
		if code(err) != each.code || !ours.Lost() || (refused != nil && refused.Kind != kinds[each.code]) || (refused != nil && (refused.Offset != each.offset || refused.Need != each.need)) {
			t.Errorf("%v: %+v", each, err)
		}
		if _, again := ours.GetVar(); again != err {
			t.Error(again)
		}
	}
	// A length is no reason to take memory: a megabyte is announced, and nothing comes.
	ours, theirs := pipe(t, nil)
	go func() { theirs.Write([]byte{0, 0, 16, 0}); theirs.Close() }()
	if allocated := testing.AllocsPerRun(1, func() { ours.GetVar() }); allocated > 100 {
		t.Error(allocated)
	}
}

func TestRandomBytesOnAStream(t *testing.T) {
	chance := rand.New(rand.NewSource(5))
	for range 300 {
		ours, theirs := pipe(t, nil)
		junk := make([]byte, chance.Intn(200))
		chance.Read(junk)
		for i := 0; i+4 < len(junk); i += 1 + chance.Intn(40) {
			copy(junk[i:], []byte{byte(chance.Intn(40)), 0, 0, 0})
		}
		go func() { theirs.Write(junk); theirs.Close() }()
		for !ours.Lost() {
			if _, err := ours.GetVar(); ours.Lost() && code(err) == "<nil>" {
				t.Fatal("lost without an error")
			}
		}
	}
}

// errorsOnly fails each Write.
type errorsOnly struct{ io.Reader }

func (errorsOnly) Write([]byte) (int, error) { return 0, net.ErrClosed }

func TestErrorsOfTheConnection(t *testing.T) {
	cut := NewStream(errorsOnly{iotest.ErrReader(io.ErrUnexpectedEOF)}, nil)
	if _, err := cut.GetVar(); err != io.ErrUnexpectedEOF || !cut.Lost() {
		t.Fatal(err)
	}
	stream := NewStream(errorsOnly{strings.NewReader("")}, nil)
	if err := stream.PutVar(1); !errors.Is(err, net.ErrClosed) {
		t.Fatal(err)
	}
	if err := stream.PutVar(make(chan int)); code(err) != "wrong_type" {
		t.Fatal(err)
	}
}

// Bytes of the fuzzer must be an error or a value that is written again.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{28, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, packet []byte) {
		value, err := Decode(packet, &Options{Limits: Network})
		if err != nil {
			if code(err) == "no_memory" {
				t.Fatal(err)
			}
			return
		}
		if _, err := Encode(value, nil); err != nil {
			t.Fatal(err)
		}
	})
}
