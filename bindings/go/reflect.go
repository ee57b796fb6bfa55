package gdvar

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
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
		if !f.IsExported() || name == "-" || f.Anonymous && structOf(f.Type) {
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

// structOf says whether an embedded field of the type lends its own fields.
func structOf(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct
}

// reflected writes a value of a type that is no Value.
func (e *encoder) reflected(v reflect.Value) *Error {
	switch v.Kind() {
	case reflect.Bool:
		return e.write(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return e.write(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if v.Uint() > math.MaxInt64 {
			return refusal("number_out_of_range", "", "%d does not fit an int of 64 bits", v.Uint())
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
		for each := v.MapRange(); each.Next(); {
			d.Pairs = append(d.Pairs, Pair{plain(each.Key()), each.Value().Interface()})
		}
		slices.SortStableFunc(d.Pairs, compareKeys)
		return e.write(&d)
	case reflect.Struct:
		var d Dictionary
		fields := fieldsOf(v.Type())
		if len(fields) == 0 && v.NumField() > 0 {
			return refusal("wrong_type", "", "no Variant holds a %s, which has no fields for others", v.Type())
		}
		for _, f := range fields {
			value, err := v.FieldByIndexErr(f.index)
			if err == nil && !(f.omitEmpty && value.IsZero()) {
				d.Pairs = append(d.Pairs, Pair{f.name, value.Interface()})
			}
		}
		return e.write(&d)
	}
	return refusal("wrong_type", "", "no Variant holds a %s", v.Type())
}

// plain makes keys of named types those of Values, by which they are sorted.
func plain(key reflect.Value) Value {
	if key.Kind() == reflect.Interface {
		if key = key.Elem(); !key.IsValid() {
			return nil
		}
	}
	switch {
	case key.CanInt():
		return key.Int()
	case key.CanUint() && key.Uint() <= math.MaxInt64 && key.Type() != reflect.TypeFor[RID]() && key.Type() != reflect.TypeFor[ObjectID]():
		return int64(key.Uint())
	case key.CanFloat():
		return key.Float()
	case key.Kind() == reflect.String && key.Type() != reflect.TypeFor[StringName]():
		return key.String()
	}
	return key.Interface()
}

// compareKeys sorts by the kind first, then numbers and texts as such, and all others as they print.
func compareKeys(left, right Pair) int {
	a, b := reflect.ValueOf(left.Key), reflect.ValueOf(right.Key)
	order := cmp.Compare(a.Kind(), b.Kind())
	switch {
	case order != 0 || !a.IsValid():
		return order
	case a.CanInt():
		order = cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		order = cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		order = cmp.Compare(a.Float(), b.Float())
	case a.Kind() == reflect.String:
		order = cmp.Compare(a.String(), b.String())
	default:
		order = cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
	}
	return cmp.Or(order, cmp.Compare(a.Type().String(), b.Type().String()))
}

// Unmarshal decodes a packet into what target points at: a struct, whose fields may have the tag `gdvar:"name"`, a map with keys that are
// texts, a slice, a number, or a Value. Keys that the struct does not have are ignored; fields that have no key stay as they are. An int is
// taken for a float, and a StringName for a string; a number that does not fit is refused, and nothing else is converted: a packed array fills
// a slice of its own type. After an error the target may be filled in part. An error is an *Error with the path.
func Unmarshal(data []byte, target any, options *Options) error {
	to := reflect.ValueOf(target)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return refusal("wrong_type", "", "the target is a pointer, not a %T", target)
	}
	value, err := Decode(data, options)
	if err != nil {
		return err
	}
	if refused := assign(to.Elem(), value); refused != nil {
		refused.Path = "$" + refused.Path
		return refused
	}
	return nil
}

// assign fills to. The path of an error begins at the value.
func assign(to reflect.Value, value Value) *Error {
	from := reflect.ValueOf(value)
	switch {
	case !from.IsValid():
		switch to.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
			to.SetZero()
			return nil
		}
		return mismatch(to, value)
	case from.Type().AssignableTo(to.Type()):
		to.Set(from)
		return nil
	case from.Kind() == reflect.Pointer && from.Elem().Type() == to.Type():
		to.Set(from.Elem())
		return nil
	}
	switch to.Kind() {
	case reflect.Pointer:
		made := reflect.New(to.Type().Elem())
		if err := assign(made.Elem(), value); err != nil {
			return err
		}
		to.Set(made)
		return nil
	case reflect.Slice:
		return assignElements(to, value)
	case reflect.Map, reflect.Struct:
		return assignPairs(to, value)
	}
	return assignScalar(to, value)
}

// within is an error of assign, with the path from the container around the value.
func within(step string, err *Error) *Error {
	err.Path = step + err.Path
	return err
}

// keyStep is the part of a path for a key, as the library writes it. Godot 3's dialect takes any bytes.
func keyStep(key string) string {
	var refused *Error
	if _, err := Encode(Dict(key, keyStep), &Options{Dialect: "godot3"}); errors.As(err, &refused) {
		return strings.TrimPrefix(refused.Path, "$")
	}
	return ""
}

func mismatch(to reflect.Value, value Value) *Error {
	return refusal("wrong_type", "", "a %s is no %s", typeOf(value), to.Type())
}

// typeOf gives Godot's name of a value's type.
func typeOf(value Value) string {
	var e encoder
	if e.write(value) != nil {
		return "value"
	}
	return Type(e.items[itemType]).String()
}

func assignScalar(to reflect.Value, value Value) *Error {
	out := func() *Error { return refusal("number_out_of_range", "", "%v does not fit %s", value, to.Type()) }
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
			exact := float64(v)
			if to.Kind() == reflect.Float32 {
				exact = float64(float32(v))
			}
			if exact >= math.MaxInt64 || int64(exact) != v {
				return out()
			}
			to.SetFloat(exact)
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
	return mismatch(to, value)
}

func assignElements(to reflect.Value, value Value) *Error {
	elements, ok := value.([]Value)
	if array, typed := value.(*Array); typed {
		elements, ok = array.Elements, true
	}
	if !ok {
		return mismatch(to, value)
	}
	made := reflect.MakeSlice(to.Type(), len(elements), len(elements))
	for i, element := range elements {
		if err := assign(made.Index(i), element); err != nil {
			return within(fmt.Sprintf("[%d]", i), err)
		}
	}
	to.Set(made)
	return nil
}

func assignPairs(to reflect.Value, value Value) *Error {
	d, ok := value.(*Dictionary)
	if !ok || (to.Kind() == reflect.Map && to.Type().Key().Kind() != reflect.String) {
		return mismatch(to, value)
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
		if assignScalar(key, pair.Key) != nil {
			if to.Kind() == reflect.Map {
				return refusal("wrong_type", "", "a key is a %s, and not a text", typeOf(pair.Key))
			}
			continue
		}
		var err *Error
		if to.Kind() == reflect.Map {
			element := reflect.New(to.Type().Elem()).Elem()
			err = assign(element, pair.Value)
			to.SetMapIndex(key.Convert(to.Type().Key()), element)
		} else if index, there := places[key.String()]; there {
			err = assignField(to, index, pair.Value)
		}
		if err != nil {
			return within(keyStep(key.String()), err)
		}
	}
	return nil
}

// assignField fills a field, and makes the embedded structs that it is in.
func assignField(to reflect.Value, index []int, value Value) *Error {
	for i, number := range index {
		if i > 0 && to.Kind() == reflect.Pointer {
			if to.IsNil() && !to.CanSet() {
				return refusal("wrong_type", "", "a %s that is embedded and not exported can't be made", to.Type())
			}
			if to.IsNil() {
				to.Set(reflect.New(to.Type().Elem()))
			}
			to = to.Elem()
		}
		to = to.Field(number)
	}
	return assign(to, value)
}
