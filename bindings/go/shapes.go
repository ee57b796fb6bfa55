package gdvar

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"unsafe"
)

// shape is a math value, or a packed array of numbers, of one width.
type shape struct {
	of     Type
	wide   bool
	size   int // of a value or an element
	goType reflect.Type
	// read makes a value of bytes, which need not be aligned; bytes gives those of a value, perhaps its own, and the number of elements.
	read  func(from []byte, count int) Value
	bytes func(value Value) (data []byte, count int)
}

// isLittle: the bytes of numbers are in the packets' order.
var isLittle = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

func single[T any](of Type, wide bool) shape {
	var zero T
	return shape{of, wide, int(unsafe.Sizeof(zero)), reflect.TypeFor[T](),
		func(from []byte, _ int) Value { return numbers[T](from, 1)[0] },
		func(value Value) ([]byte, int) { return bytesOf([]T{value.(T)}), 0 }}
}
func packed[T any](of Type, wide bool) shape {
	var zero T
	return shape{of, wide, int(unsafe.Sizeof(zero)), reflect.TypeFor[[]T](),
		func(from []byte, count int) Value { return numbers[T](from, count) },
		func(value Value) ([]byte, int) { return bytesOf(value.([]T)), len(value.([]T)) }}
}

// numbers makes so many values of bytes that are a copy afterwards.
func numbers[T any](from []byte, count int) []T {
	made := make([]T, count)
	if isLittle {
		copy(memoryOf(made), from)
	} else {
		_ = binary.Read(bytes.NewReader(from), binary.LittleEndian, made) // made is full: the caller gives enough
	}
	return made
}
func bytesOf[T any](values []T) []byte {
	if isLittle {
		return memoryOf(values)
	}
	var to bytes.Buffer
	_ = binary.Write(&to, binary.LittleEndian, values)
	return to.Bytes()
}
func memoryOf[T any](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*int(unsafe.Sizeof(values[0])))
}

var shapesByType = func() (by [len(typeNames)][2]*shape) {
	for i := range shapes {
		wide := 0
		if shapes[i].wide {
			wide = 1
		}
		by[shapes[i].of][wide] = &shapes[i]
	}
	return by
}()
var shapesByGoType = func() map[reflect.Type]*shape {
	by := map[reflect.Type]*shape{}
	for i := range shapes {
		by[shapes[i].goType] = &shapes[i]
	}
	return by
}()
