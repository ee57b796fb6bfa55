package gdvar

import (
	"encoding/binary"
	"math"
	"reflect"
	"sync"
)

const (
	mostDepth = 1024
	// apart: the bytes of arrays of this size and more are copied once, to the module.
	apart = 4096
)

// encoder makes a value the array of items of gdvar_encode, which checks them and writes the packet.
type encoder struct {
	items []byte
	data  []byte
	// The items whose data stand at a place of data; and those whose data are elsewhere.
	placed []int
	parts  []part
	images []int // places of gdvar_image in data
	depth  int   // open containers and pointers around the current value
}

// encoders keeps the memory of small values for the next ones.
var encoders = sync.Pool{New: func() any { return new(encoder) }}

const mostKeptByEncoder = 1 << 20

func (e *encoder) done() {
	if cap(e.items)+cap(e.data) > mostKeptByEncoder {
		return
	}
	*e = encoder{items: e.items[:0], data: e.data[:0], placed: e.placed[:0], images: e.images[:0]}
	encoders.Put(e)
}

type part struct {
	item int
	data []byte
}

// finish writes the items of one value. The library says where the items end before a value that was refused, if it does not refuse an earlier one.
func (e *encoder) finish(m *module, options *Options, refused *Error) ([]byte, error) {
	given, err := m.options(options)
	if err != nil {
		return nil, err
	}
	size := len(e.items) + len(e.data)
	for _, p := range e.parts {
		size += len(p.data) + 7
	}
	at := m.room(&m.input, size)
	next := at + uint32(len(e.items))
	for _, item := range e.placed {
		e.point(item, next+binary.LittleEndian.Uint32(e.items[item+itemAs:]))
	}
	for _, place := range e.images {
		to := e.data[place+imageData:]
		binary.LittleEndian.PutUint32(to, next+binary.LittleEndian.Uint32(to))
	}
	m.write(next, e.data)
	next += uint32(len(e.data))
	for _, p := range e.parts {
		next = (next + 7) &^ 7
		e.point(p.item, next)
		m.write(next, p.data)
		next += uint32(len(p.data))
	}
	m.write(at, e.items)
	if m.encode(at, uint32(len(e.items)/sizeOfItem), given, m.buffer, m.err, m.path) != 0 {
		m.bufferClear(m.buffer)
		failed := m.failure(string(m.take(m.path)))
		if refused != nil && failed.Code == "too_few_items" {
			refused.Path = failed.Path
			return nil, refused
		}
		return nil, failed
	}
	return m.take(m.buffer), nil
}
func (e *encoder) point(item int, at uint32) {
	binary.LittleEndian.PutUint64(e.items[item+itemAs:], uint64(at))
}

// ---- items ----

// put adds an item with such an as.
func (e *encoder) put(t Type, flags byte, count int, as uint64) *Error {
	if count > math.MaxInt32 {
		return refusal("too_large", "", "more than 2^31 - 1 bytes or elements")
	}
	var item [sizeOfItem]byte
	item[itemType], item[itemFlags] = byte(t), flags
	binary.LittleEndian.PutUint32(item[itemCount:], uint32(count))
	binary.LittleEndian.PutUint64(item[itemAs:], as)
	e.items = append(e.items, item[:]...)
	return nil
}

// reserve makes room in data, at a place divisible by 8, and gives the place.
func (e *encoder) reserve(size int) int {
	at := (len(e.data) + 7) &^ 7
	e.data = append(e.data, make([]byte, at-len(e.data)+size)...)
	return at
}

// putData adds an item with data.
func putData[T string | []byte](e *encoder, t Type, flags byte, count int, data T) *Error {
	item := len(e.items)
	if len(data) >= apart {
		e.parts = append(e.parts, part{item, []byte(data)})
		return e.put(t, flags, count, 0)
	}
	at := e.reserve(0)
	e.data = append(e.data, data...)
	e.placed = append(e.placed, item)
	return e.put(t, flags, count, uint64(at))
}
func (e *encoder) text(t Type, text string) *Error { return putData(e, t, 0, len(text), text) }
func (e *encoder) texts(texts []string) *Error {
	for _, text := range texts {
		if err := e.text(TypeString, text); err != nil {
			return err
		}
	}
	return nil
}
func (e *encoder) containerType(t *ContainerType) *Error {
	if t == nil {
		t = &ContainerType{}
	}
	return putData(e, t.Type, byte(t.Kind), len(t.Name), t.Name)
}

// ---- values ----

func (e *encoder) write(value any) *Error {
	switch v := value.(type) {
	case nil:
		return e.put(TypeNil, 0, 0, 0)
	case bool:
		if v {
			return e.put(TypeBool, 0, 0, 1)
		}
		return e.put(TypeBool, 0, 0, 0)
	case int64:
		return e.put(TypeInt, 0, 0, uint64(v))
	case int:
		return e.put(TypeInt, 0, 0, uint64(v))
	case float64:
		return e.put(TypeFloat, 0, 0, math.Float64bits(v))
	case string:
		return e.text(TypeString, v)
	case StringName:
		return e.text(TypeStringName, string(v))
	case []Value:
		return e.elements(TypeArray, nil, false, v)
	case *Dictionary:
		return e.dictionary(v)
	}
	if s := shapesByGoType[reflect.TypeOf(value)]; s != nil {
		flags := byte(0)
		if s.wide {
			flags = itemWide
		}
		data, count := s.bytes(value)
		return putData(e, s.of, flags, count, data)
	}
	return e.rarer(value)
}

func (e *encoder) rarer(value any) *Error {
	switch v := value.(type) {
	case NodePath:
		flags := byte(0)
		if v.Absolute {
			flags |= itemAbsolute
		}
		if v.SeparateProperty {
			flags |= itemProperty
		}
		err := e.put(TypeNodePath, flags, len(v.Names)+len(v.Subnames), uint64(len(v.Subnames)))
		return first(err, func() *Error { return e.texts(v.Names) }, func() *Error { return e.texts(v.Subnames) })
	case RID:
		return e.put(TypeRID, 0, 0, uint64(v))
	case ObjectID:
		return e.put(TypeObject, itemId, 0, uint64(v))
	case Callable:
		return e.put(TypeCallable, 0, 0, 0)
	case Signal:
		return first(e.put(TypeSignal, 0, 0, v.ObjectID), func() *Error { return e.text(TypeString, v.Name) })
	case []string:
		return first(e.put(TypePackedStringArray, 0, len(v), 0), func() *Error { return e.texts(v) })
	case Dictionary:
		return e.dictionary(&v)
	case Array:
		return e.rarer(&v)
	case Object:
		return e.object(&v)
	case Image:
		return e.rarer(&v)
	case InputEvent:
		return e.rarer(&v)
	case *Array:
		if v == nil {
			return e.put(TypeNil, 0, 0, 0)
		}
		if v.Packed {
			return e.elements(TypePackedTypedArray, v.Type, true, v.Elements)
		}
		return e.elements(TypeArray, v.Type, v.Type != nil, v.Elements)
	case *Object:
		return e.object(v)
	case *Image:
		if v == nil {
			return e.put(TypeNil, 0, 0, 0)
		}
		bytes := e.reserve(len(v.Data))
		copy(e.data[bytes:], v.Data)
		at := e.reserve(sizeOfImage)
		e.words(at, v.Format, v.Mipmaps, v.Width, v.Height, uint32(bytes), uint32(len(v.Data)))
		e.images = append(e.images, at)
		return e.record(TypeImage, at)
	case *InputEvent:
		if v == nil {
			return e.put(TypeNil, 0, 0, 0)
		}
		at := e.reserve(sizeOfInputEvent)
		words := append(append([]uint32{}, v.Words...), 0, 0)[:2]
		e.words(at, v.Type, v.Device, words[0], words[1], uint32(len(v.Words)))
		return e.record(TypeInputEvent, at)
	}
	return e.reflected(reflect.ValueOf(value))
}

// first runs steps up to the first error.
func first(err *Error, steps ...func() *Error) *Error {
	for _, step := range steps {
		if err == nil {
			err = step()
		}
	}
	return err
}
func (e *encoder) words(at int, words ...uint32) {
	for i, word := range words {
		binary.LittleEndian.PutUint32(e.data[at+4*i:], word)
	}
}
func (e *encoder) record(t Type, at int) *Error {
	e.placed = append(e.placed, len(e.items))
	return e.put(t, 0, 0, uint64(at))
}

// ---- containers ----

// enter begins a container or follows a pointer. A value that holds itself ends here.
func (e *encoder) enter() *Error {
	if e.depth++; e.depth > mostDepth {
		return refusal("depth_limit", "", "more than %d nested containers", mostDepth)
	}
	return nil
}
func (e *encoder) elements(t Type, of *ContainerType, typed bool, elements []Value) *Error {
	flags := byte(0)
	if typed {
		flags = itemTyped
	}
	if err := first(e.enter(), func() *Error { return e.put(t, flags, len(elements), 0) }); err != nil {
		return err
	}
	if typed {
		if err := e.containerType(of); err != nil {
			return err
		}
	}
	for _, element := range elements {
		if err := e.write(element); err != nil {
			return err
		}
	}
	e.depth--
	return nil
}
func (e *encoder) dictionary(d *Dictionary) *Error {
	if d == nil {
		return e.put(TypeNil, 0, 0, 0)
	}
	flags := byte(0)
	if d.KeyType != nil || d.ValueType != nil {
		flags = itemTyped
	}
	if err := first(e.enter(), func() *Error { return e.put(TypeDictionary, flags, len(d.Pairs), 0) }); err != nil {
		return err
	}
	if flags != 0 {
		if err := first(e.containerType(d.KeyType), func() *Error { return e.containerType(d.ValueType) }); err != nil {
			return err
		}
	}
	for _, pair := range d.Pairs {
		if err := first(e.write(pair.Key), func() *Error { return e.write(pair.Value) }); err != nil {
			return err
		}
	}
	e.depth--
	return nil
}
func (e *encoder) object(o *Object) *Error {
	if o == nil || o.Class == "" {
		return e.put(TypeObject, 0, 0, 0)
	}
	if err := first(e.enter(), func() *Error { return e.put(TypeObject, itemFull, len(o.Properties), 0) }, func() *Error { return e.text(TypeString, o.Class) }); err != nil {
		return err
	}
	for _, property := range o.Properties {
		name, ok := property.Key.(string)
		if !ok {
			return refusal("wrong_type", "", "the name of a property is a string, not a %T", property.Key)
		}
		if err := first(e.text(TypeString, name), func() *Error { return e.write(property.Value) }); err != nil {
			return err
		}
	}
	e.depth--
	return nil
}
