// Package gdvar reads and writes Godot's Variant wire format: what var_to_bytes, store_var and put_var make.
//
// It needs no C: the library is a WebAssembly module inside, which wazero runs. docs/go.md is the guide.
package gdvar

import (
	"fmt"
	"strings"
)

// Value is what a Variant holds:
//
//	Nil, bool, int, float, String         nil, bool, int64, float64, string
//	StringName, NodePath, RID             StringName, NodePath, RID
//	Vector2, Transform3D, Color, ...      Vector2, Transform3D, Color; with 64-bit components Vector2d, ...
//	Array                                 []Value; with an element type *Array
//	Dictionary                            *Dictionary
//	PackedByteArray, PackedInt32Array     []byte, []int32, ...
//	PackedStringArray                     []string
//	PackedVector2Array, ...               []Vector2, ...; with 64-bit components []Vector2d, ...
//	Object                                *Object; ObjectID if it was written as an id
//	Callable, Signal                      Callable, Signal
//	Image, InputEvent of Godot 1 and 2    *Image, *InputEvent
type Value = any

// StringName is text with a type of its own on the wire.
type StringName string

// RID is a resource's id.
type RID uint64

// ObjectID is an Object that was written as its id alone.
type ObjectID uint64

// Callable is a Callable, of which the wire holds nothing.
type Callable struct{}

// Signal is the name of a signal and its object's id.
type Signal struct {
	Name     string
	ObjectID uint64
}

// NodePath is a path: "/root/Player:position:x" has the names root and Player and the subnames position and x.
type NodePath struct {
	Names, Subnames []string
	Absolute        bool
	// SeparateProperty: the last subname is the separate property of Godot 2's format.
	SeparateProperty bool
}

// Object is an Object as data: nothing is made or run. Without a class it is a null Object.
type Object struct {
	Class      string
	Properties []Pair // the keys are strings
}

// Image is Godot 1's and 2's Image.
type Image struct {
	Format, Mipmaps, Width, Height uint32
	Data                           []byte
}

// InputEvent is Godot 1's and 2's InputEvent, with as many words as an event of its type has.
type InputEvent struct {
	Type, Device uint32
	Words        []uint32
}

// ContainerType is the type that a container's elements must have. Elements are not checked against it.
type ContainerType struct {
	Kind ContainerKind
	Type Type
	Name string // the class, or the script's path
}

// Of is the type of a container of a built-in type.
func Of(t Type) *ContainerType { return &ContainerType{Kind: Builtin, Type: t} }

// Array is an Array with an element type.
type Array struct {
	Type     *ContainerType
	Elements []Value
	// Packed: the packed typed array of Godot 4's development snapshots.
	Packed bool
}

// Pair is a key and its value.
type Pair struct{ Key, Value Value }

// Dictionary is a Dictionary: pairs in their order, equal keys included.
type Dictionary struct {
	Pairs              []Pair
	KeyType, ValueType *ContainerType // nil: without a type
}

// Dict makes a Dictionary of keys and values: Dict("name", "Ada", "hp", 100). It panics if their number is odd.
func Dict(keysAndValues ...Value) *Dictionary {
	d := &Dictionary{}
	for i := 0; i < len(keysAndValues); i += 2 {
		d.Pairs = append(d.Pairs, Pair{keysAndValues[i], keysAndValues[i+1]})
	}
	return d
}

// String shows the pairs of the first levels, for people.
func (d *Dictionary) String() string {
	var text strings.Builder
	show(&text, d, 0)
	return text.String()
}

// show ends at the fourth level: a value of a program may hold itself.
func show(to *strings.Builder, value Value, depth int) {
	if array, ok := value.(*Array); ok && array != nil {
		value = array.Elements
	}
	elements, isArray := value.([]Value)
	d, isDictionary := value.(*Dictionary)
	switch {
	case isDictionary && d == nil:
		to.WriteString("<nil>")
	case isDictionary:
		to.WriteByte('{')
		for i, pair := range d.Pairs {
			show(to, pair.Key, depth+1)
			to.WriteString(": ")
			if goesOn := showNext(to, pair.Value, depth, i+1 < len(d.Pairs)); !goesOn {
				break
			}
		}
		to.WriteByte('}')
	case isArray:
		to.WriteByte('[')
		for i, element := range elements {
			if goesOn := showNext(to, element, depth, i+1 < len(elements)); !goesOn {
				break
			}
		}
		to.WriteByte(']')
	default:
		fmt.Fprint(to, value)
	}
}
func showNext(to *strings.Builder, value Value, depth int, more bool) bool {
	if depth == 4 {
		to.WriteString("...")
		return false
	}
	show(to, value, depth+1)
	if more {
		to.WriteString(", ")
	}
	return true
}

// Find gives the value of the last pair with the text as key, a String or a StringName. It takes time with the number of pairs; no packet
// can make it slower than that.
func (d *Dictionary) Find(key string) (Value, bool) {
	for i := len(d.Pairs) - 1; i >= 0; i-- {
		switch k := d.Pairs[i].Key.(type) {
		case string:
			if k == key {
				return d.Pairs[i].Value, true
			}
		case StringName:
			if string(k) == key {
				return d.Pairs[i].Value, true
			}
		}
	}
	return nil, false
}

// Get is Find, with nil where there is none.
func (d *Dictionary) Get(key string) Value {
	value, _ := d.Find(key)
	return value
}

// Limits of reading. A zero means the engines' own limit.
type Limits struct {
	Depth  uint32 // open containers around a value, at most 1024
	Bytes  uint64 // of one packet
	Values uint64 // in one packet
}

// Network has tight limits, for packets from peers that nobody vouches for.
var Network = Limits{Depth: 64, Bytes: 1 << 20, Values: 1 << 16}

// Options of reading and writing. nil means godot-4.4 and the engines' own limits.
type Options struct {
	Dialect      string // a name or alias (docs/dialects.md); "": godot-4.4
	Limits       Limits
	AllowObjects bool // Objects in full, as inert data; ids always pass
	Strict       bool // refuses everything that no engine would write
	AnyScript    bool // any value may be the script of an Object, as in values out of resources
}

func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// Error says why something was refused. The codes: docs/errors.md.
type Error struct {
	Code    string // "truncated", "depth_limit", ...
	Kind    string // "bytes", "options", "writing", ...
	Message string
	Offset  uint64 // in bytes from the packet's start
	Need    uint64 // at least so many more bytes are needed; else 0
	Type    Type   // that was read or written
	Path    string // of the value that was refused: "$.players[3].hp"
}

func (e *Error) Error() string {
	if e.Path == "" {
		return "gdvar: " + e.Message
	}
	return "gdvar: " + e.Path + ": " + e.Message
}

// refusal is an error of this package, with a code of the library's.
func refusal(code, path, format string, words ...any) *Error {
	message := "error[" + code + "]: " + fmt.Sprintf(format, words...)
	return &Error{Code: code, Kind: kinds[code], Message: message, Path: path}
}

// Decode gives the value of the packet at the start of data. An error is an *Error with an offset and a path.
func Decode(data []byte, options *Options) (Value, error) {
	value, _, err := DecodeSome(data, options)
	return value, err
}

// DecodeSome is Decode, and says how many bytes the packet took.
func DecodeSome(data []byte, options *Options) (value Value, size int, err error) {
	err = withModule(func(m *module) error {
		given, err := m.options(options)
		if err != nil {
			return err
		}
		bytes := m.give(data)
		if m.documentRead(m.document, bytes, given, m.err) != 0 {
			return m.readError(bytes, given)
		}
		m.documentTape(m.result, m.document)
		size = int(m.word(m.result + tapeSize))
		value = newDecoder(m, data).value()
		return nil
	})
	return value, size, err
}

// Validate checks the packet at the start of data, makes nothing, and says how many bytes it took.
func Validate(data []byte, options *Options) (size int, err error) {
	err = withModule(func(m *module) error {
		given, err := m.options(options)
		if err != nil {
			return err
		}
		bytes := m.give(data)
		if m.validate(bytes, given, m.result, m.err) != 0 {
			return m.readError(bytes, given)
		}
		size = int(m.word(m.result))
		return nil
	})
	return size, err
}

// Encode gives the packet of a value. Besides a Value it takes all integers, float32, slices, arrays, maps (with their keys sorted), pointers, and
// structs, whose fields may have the tag `gdvar:"name,omitempty"`. An error is an *Error with the path of what was refused.
func Encode(value any, options *Options) ([]byte, error) {
	e := encoders.Get().(*encoder)
	defer e.done()
	refused := e.write(value)
	var packet []byte
	err := withModule(func(m *module) (err error) {
		packet, err = e.finish(m, options, refused)
		return err
	})
	return packet, err
}

// A Dialect is the rules of one family of engines.
type Dialect struct {
	Name, Title string
	Types       []Type // that can be written
}

// Dialects gives all of them, the newest Godot's first.
func Dialects() (all []Dialect, err error) {
	err = withModule(func(m *module) error {
		for i := uint32(0); ; i++ {
			at := m.dialectAt(i)
			if at == 0 {
				return nil
			}
			m.dialectName(m.result, at)
			one := Dialect{Name: m.text(m.result)}
			m.dialectTitle(m.result, at)
			one.Title = m.text(m.result)
			for t := range typeNames {
				if m.dialectHas(at, uint32(t)) != 0 {
					one.Types = append(one.Types, Type(t))
				}
			}
			all = append(all, one)
		}
	})
	return all, err
}
