package gdvar

import (
	"encoding/binary"
	"math"
)

// decoder makes values of a tape's nodes, without recursion.
type decoder struct {
	m *module
	// The packet as the caller has it, and the nodes in the module's memory.
	packet, nodes []byte
	next          uint32
	open          []open
}

// open is a container that is being filled.
type open struct {
	elements []Value
	pairs    []Pair
	key      Value
	left     uint32
	// The container, of which end sets the elements or pairs.
	array      *Array
	dictionary *Dictionary
	object     *Object
	isPairs    bool
	hasKey     bool
}

func newDecoder(m *module, packet []byte) *decoder {
	nodes := m.view(m.word(m.result+tapeNodes), m.word(m.result+tapeCount)*sizeOfNode)
	return &decoder{m: m, packet: packet, nodes: nodes}
}

type node []byte

func (d *decoder) node(at uint32) node { return node(d.nodes[at*sizeOfNode:][:sizeOfNode]) }
func (n node) kind() Type              { return Type(n[nodeType]) }
func (n node) is(flag byte) bool       { return n[nodeFlags]&flag != 0 }
func (n node) offset() int             { return int(binary.LittleEndian.Uint32(n[nodeOffset:])) }
func (n node) bits() uint64            { return binary.LittleEndian.Uint64(n[nodeAs:]) }
func (n node) count() uint32           { return uint32(n.bits()) }
func (n node) end() uint32             { return uint32(n.bits() >> 32) }

func (d *decoder) value() Value {
	for {
		if top := d.top(); top != nil && top.object != nil && !top.hasKey {
			top.key, top.hasKey = d.name(d.next), true
			d.next++
		}
		before := len(d.open)
		value := d.one()
		if len(d.open) > before {
			continue
		}
		// It may be the last one of its container, which is then the last one of its own.
		for {
			top := d.top()
			if top == nil {
				return value
			}
			if !top.put(value) {
				break
			}
			value = top.end()
			d.open = d.open[:len(d.open)-1]
		}
	}
}
func (d *decoder) top() *open {
	if len(d.open) == 0 {
		return nil
	}
	return &d.open[len(d.open)-1]
}

// put says whether the container is full.
func (o *open) put(value Value) bool {
	switch {
	case !o.isPairs:
		o.elements = append(o.elements, value)
	case !o.hasKey:
		o.key, o.hasKey = value, true
		return false
	default:
		o.pairs = append(o.pairs, Pair{o.key, value})
		o.hasKey = false
	}
	o.left--
	return o.left == 0
}
func (o *open) end() Value {
	switch {
	case o.dictionary != nil:
		o.dictionary.Pairs = o.pairs
		return o.dictionary
	case o.object != nil:
		o.object.Properties = o.pairs
		return o.object
	case o.array != nil:
		o.array.Elements = o.elements
		return o.array
	}
	return o.elements
}
func (d *decoder) begin(o open) Value {
	// There are as many children on the tape: memory grows with the packet alone.
	if o.isPairs {
		o.pairs = make([]Pair, 0, o.left)
	} else {
		o.elements = make([]Value, 0, o.left)
	}
	if o.left == 0 {
		return o.end()
	}
	d.open = append(d.open, o)
	return nil
}

// one gives the next node's value; for a container with elements, open grows.
func (d *decoder) one() Value {
	at := d.next
	n := d.node(at)
	d.next++
	switch n.kind() {
	case TypeNil:
		return nil
	case TypeBool:
		return n.bits() != 0
	case TypeInt:
		return int64(n.bits())
	case TypeFloat:
		return math.Float64frombits(n.bits())
	case TypeString:
		return d.text(n)
	case TypeStringName:
		return StringName(d.text(n))
	case TypeRID:
		return RID(n.bits())
	case TypeCallable:
		return Callable{}
	case TypeSignal:
		return Signal{d.name(at), n.bits()}
	case TypeNodePath:
		return d.path(at)
	case TypePackedStringArray:
		return d.texts(at)
	case TypeArray, TypePackedTypedArray:
		return d.array(at, n)
	case TypeDictionary:
		first, second := d.types(at, n)
		return d.begin(open{isPairs: true, left: n.count(), dictionary: &Dictionary{KeyType: first, ValueType: second}})
	case TypeObject:
		return d.object(at, n)
	case TypeImage:
		m := d.m
		m.nodeImage(m.result, m.document, at)
		data := append([]byte(nil), m.view(m.word(m.result+imageData), m.word(m.result+imageData+bytesSize))...)
		return &Image{m.word(m.result + imageFormat), m.word(m.result + imageMipmaps), m.word(m.result + imageWidth), m.word(m.result + imageHeight), data}
	case TypeInputEvent:
		m := d.m
		m.nodeInputEvent(m.result, m.document, at)
		event := &InputEvent{Type: m.word(m.result + inputEventType), Device: m.word(m.result + inputEventDevice)}
		for i := range m.word(m.result + inputEventWordCount) {
			event.Words = append(event.Words, m.word(m.result+inputEventWords+4*i))
		}
		return event
	}
	return d.numbers(at, n)
}

func (d *decoder) text(n node) string {
	return string(d.packet[n.offset()+8:][:n.count()])
}
func (d *decoder) name(at uint32) string {
	d.m.nodeName(d.m.result, d.m.document, at)
	return d.m.text(d.m.result)
}
func (d *decoder) numbers(at uint32, n node) Value {
	wide := 0
	if n.is(nodeWide) {
		wide = 1
	}
	s := shapesByType[n.kind()][wide]
	if n.kind() >= TypePackedByteArray {
		count := int(n.count())
		return s.read(d.packet[n.offset()+8:][:count*s.size], count)
	}
	if !n.is(nodeCopied) {
		return s.read(d.packet[n.offset()+4:][:s.size], 1)
	}
	d.next = n.end()
	d.m.nodeNumbers(d.m.result, d.m.document, at)
	return s.read(d.m.view(d.m.word(d.m.result+numbersData), uint32(s.size)), 1)
}
func (d *decoder) texts(at uint32) []string {
	m := d.m
	count := m.nodeTexts(m.document, at, 0, 0)
	to := m.room(&m.scratch, int(count)*sizeOfText)
	m.nodeTexts(m.document, at, to, count)
	made := make([]string, count)
	for i := range made {
		made[i] = m.text(to + uint32(i)*sizeOfText)
	}
	return made
}
func (d *decoder) path(at uint32) NodePath {
	texts := d.texts(at)
	m := d.m
	m.nodePath(m.result, m.document, at)
	names := m.word(m.result + nodePathInfoNames)
	return NodePath{texts[:names:names], texts[names:], m.byte(m.result+nodePathInfoAbsolute) != 0, m.byte(m.result+nodePathInfoSeparateProperty) != 0}
}
func (d *decoder) array(at uint32, n node) Value {
	o := open{left: n.count()}
	isPacked := n.kind() == TypePackedTypedArray
	if first, _ := d.types(at, n); first != nil || isPacked {
		o.array = &Array{Type: first, Packed: isPacked}
	}
	return d.begin(o)
}
func (d *decoder) object(at uint32, n node) Value {
	switch {
	case n.is(nodeId):
		return ObjectID(n.bits())
	case !n.is(nodeFull):
		return &Object{}
	}
	return d.begin(open{isPairs: true, left: n.count(), object: &Object{Class: d.name(at)}})
}

// types gives the types of a container's elements, or of its keys and values; nil: none.
func (d *decoder) types(at uint32, n node) (first, second *ContainerType) {
	// They stand between the count and the elements.
	if n.count() > 0 && d.node(at+1).offset() == n.offset()+8 {
		return nil, nil
	}
	m := d.m
	to := m.room(&m.scratch, 2*sizeOfContainerType)
	clear(m.view(to, 2*sizeOfContainerType))
	m.nodeTypes(m.document, at, to, to+sizeOfContainerType)
	return m.containerType(to), m.containerType(to + sizeOfContainerType)
}
func (m *module) containerType(at uint32) *ContainerType {
	kind := ContainerKind(m.byte(at + containerTypeKind))
	if kind == Untyped {
		return nil
	}
	return &ContainerType{kind, Type(m.byte(at + containerTypeType)), m.text(at + containerTypeName)}
}
