package gdvar

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
)

// Go's own types: numbers of all widths, slices, maps, pointers, structs.

// field is a field of a struct under its name in Dictionaries.
type field struct {
	name      string
	index     []int
	omitEmpty bool
}

var fieldsByType sync.Map // reflect.Type: []field

func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldsByType.Load(t); ok {
		return known.([]field)
	}
	var fields []field
	for _, f := range reflect.VisibleFields(t) {
		name, rest, _ := strings.Cut(f.Tag.Get("gdvar"), ",")
		if !f.IsExported() || f.Anonymous || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		fields = append(fields, field{name, f.Index, rest == "omitempty"})
	}
	fieldsByType.Store(t, fields)
	return fields
}

// reflected writes a value of a type that is no Value.
func (e *encoder) reflected(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		return e.write(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return e.write(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.Uint() > math.MaxInt64 {
			return e.refuse("number_out_of_range", "%d does not fit an int of 64 bits", v.Uint())
		}
		return e.write(int64(v.Uint()))
	case reflect.Float32, reflect.Float64:
		return e.write(v.Float())
	case reflect.String:
		return e.write(v.String())
	case reflect.Pointer:
		if v.IsNil() {
			return e.write(nil)
		}
		if err := e.enter(); err != nil {
			return err
		}
		err := e.write(v.Elem().Interface())
		e.depth--
		return err
	case reflect.Slice, reflect.Array:
		elements := make([]Value, v.Len())
		for i := range elements {
			elements[i] = v.Index(i).Interface()
		}
		return e.write(elements)
	case reflect.Map:
		var d Dictionary
		for _, key := range v.MapKeys() {
			d.Pairs = append(d.Pairs, Pair{plain(key), v.MapIndex(key).Interface()})
		}
		sortPairs(d.Pairs)
		return e.write(&d)
	case reflect.Struct:
		var d Dictionary
		fields := fieldsOf(v.Type())
		if len(fields) == 0 && v.NumField() > 0 {
			return e.refuse("wrong_type", "no Variant holds a %s, which has no fields for others", v.Type())
		}
		for _, f := range fields {
			value, err := v.FieldByIndexErr(f.index)
			if err == nil && !(f.omitEmpty && value.IsZero()) {
				d.Pairs = append(d.Pairs, Pair{f.name, value.Interface()})
			}
		}
		return e.write(&d)
	}
	return e.refuse("wrong_type", "no Variant holds a %s", v.Type())
}

// plain makes keys of named types those of Values, by which they are sorted.
func plain(key reflect.Value) Value {
	switch {
	case key.CanInt():
		return key.Int()
	case key.Kind() == reflect.String && key.Type() != reflect.TypeFor[StringName]():
		return key.String()
	}
	return key.Interface()
}

// Unmarshal decodes a packet into what target points at: a struct, whose fields may have the tag `gdvar:"name"`, a map with keys that are
// texts, a slice, a number, or a Value. Keys that the struct does not have are ignored; fields that have no key stay as they are. An int is
// taken for a float, and a StringName for a string; a number that does not fit is refused. An error is an *Error with the path.
func Unmarshal(data []byte, target any, options *Options) error {
	to := reflect.ValueOf(target)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return refusal("wrong_type", "", "the target is a pointer, not a %T", target)
	}
	value, err := Decode(data, options)
	if err != nil {
		return err
	}
	return assign(to.Elem(), value, "$")
}

func assign(to reflect.Value, value Value, path string) error {
	from := reflect.ValueOf(value)
	switch {
	case !from.IsValid():
		switch to.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
			to.SetZero()
			return nil
		}
		return mismatch(to, value, path)
	case from.Type().AssignableTo(to.Type()):
		to.Set(from)
		return nil
	}
	switch to.Kind() {
	case reflect.Pointer:
		made := reflect.New(to.Type().Elem())
		if err := assign(made.Elem(), value, path); err != nil {
			return err
		}
		to.Set(made)
		return nil
	case reflect.Slice:
		return assignElements(to, value, path)
	case reflect.Map, reflect.Struct:
		return assignPairs(to, value, path)
	}
	return assignScalar(to, value, path)
}

// step is the part of a path for a key or an index.
func step(key any) string {
	if index, ok := key.(int); ok {
		return fmt.Sprintf("[%d]", index)
	}
	return fmt.Sprintf(".%v", key)
}

func mismatch(to reflect.Value, value Value, path string) error {
	return refusal("wrong_type", path, "a %s is no %s", typeOf(value), to.Type())
}

// typeOf gives Godot's name of a value's type.
func typeOf(value Value) string {
	var e encoder
	if e.write(value) != nil {
		return "value"
	}
	return Type(e.items[itemType]).String()
}

func assignScalar(to reflect.Value, value Value, path string) error {
	out := func() error { return refusal("number_out_of_range", path, "%v does not fit %s", value, to.Type()) }
	switch v := value.(type) {
	case bool:
		if to.Kind() == reflect.Bool {
			to.SetBool(v)
			return nil
		}
	case int64:
		switch {
		case to.CanInt():
			if to.OverflowInt(v) {
				return out()
			}
			to.SetInt(v)
			return nil
		case to.CanUint():
			if v < 0 || to.OverflowUint(uint64(v)) {
				return out()
			}
			to.SetUint(uint64(v))
			return nil
		case to.CanFloat():
			if float64(v) >= math.MaxInt64 || int64(float64(v)) != v {
				return out()
			}
			to.SetFloat(float64(v))
			return nil
		}
	case float64:
		if to.CanFloat() {
			if to.OverflowFloat(v) {
				return out()
			}
			to.SetFloat(v)
			return nil
		}
	case string:
		if to.Kind() == reflect.String {
			to.SetString(v)
			return nil
		}
	case StringName:
		if to.Kind() == reflect.String {
			to.SetString(string(v))
			return nil
		}
	}
	return mismatch(to, value, path)
}

func assignElements(to reflect.Value, value Value, path string) error {
	elements, ok := value.([]Value)
	if array, typed := value.(*Array); typed {
		elements, ok = array.Elements, true
	}
	if !ok {
		return mismatch(to, value, path)
	}
	made := reflect.MakeSlice(to.Type(), len(elements), len(elements))
	for i, element := range elements {
		if err := assign(made.Index(i), element, path+step(i)); err != nil {
			return err
		}
	}
	to.Set(made)
	return nil
}

func assignPairs(to reflect.Value, value Value, path string) error {
	d, ok := value.(*Dictionary)
	if !ok || (to.Kind() == reflect.Map && to.Type().Key().Kind() != reflect.String) {
		return mismatch(to, value, path)
	}
	if to.Kind() == reflect.Map {
		to.Set(reflect.MakeMapWithSize(to.Type(), len(d.Pairs)))
	}
	places := map[string][]int{}
	if to.Kind() == reflect.Struct {
		for _, f := range fieldsOf(to.Type()) {
			places[f.name] = f.index
		}
	}
	for _, pair := range d.Pairs {
		key := reflect.New(reflect.TypeFor[string]()).Elem()
		if assignScalar(key, pair.Key, path) != nil {
			if to.Kind() == reflect.Map {
				return refusal("wrong_type", path, "a key is a %s, and not a text", typeOf(pair.Key))
			}
			continue
		}
		at := path + step(key.String())
		if to.Kind() == reflect.Map {
			element := reflect.New(to.Type().Elem()).Elem()
			if err := assign(element, pair.Value, at); err != nil {
				return err
			}
			to.SetMapIndex(key.Convert(to.Type().Key()), element)
		} else if index, there := places[key.String()]; there {
			field, err := to.FieldByIndexErr(index)
			if err == nil {
				err = assign(field, pair.Value, at)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
