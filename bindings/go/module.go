package gdvar

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/binary"
	"errors"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

//go:embed gdvar-packets.wasm
var core []byte

const (
	pageSize = 65536
	// mostMemory is that of one instance. A call that needs more fails with no_memory.
	mostMemory = 1 << 30
	// mostKept: an instance with more is dropped after its call, as memory of WebAssembly never shrinks.
	mostKept = 32 << 20
)

// module is an instance of gdvar-packets.wasm. One call at a time uses it.
type module struct {
	instance api.Module
	memory   api.Memory
	calls    [len(functionNames)]api.Function
	stack    [8]uint64
	dialects map[string]uint32
	// Handles, and room for structs.
	document, buffer, path, err, given, bytes, result uint32
	// Areas for what is given to a call and for texts that it gives.
	input, scratch area
}

// area is memory of the module that grows.
type area struct{ at, size uint32 }

var ctx = context.Background()

// compiled is made once: wazero compiles the module for this machine.
var compiled = sync.OnceValues(func() (instantiate func() (api.Module, error), err error) {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(mostMemory / pageSize)
	engine := wazero.NewRuntimeWithConfig(ctx, config)
	// Random bytes, of which hashes of foreign keys are made.
	random := func(_ context.Context, m api.Module, to, size uint32) {
		if bytes, ok := m.Memory().Read(to, size); ok {
			rand.Read(bytes)
		}
	}
	if _, err := engine.NewHostModuleBuilder("gdvar").NewFunctionBuilder().WithFunc(random).Export("random").Instantiate(ctx); err != nil {
		return nil, err
	}
	code, err := engine.CompileModule(ctx, core)
	if err != nil {
		return nil, err
	}
	return func() (api.Module, error) {
		return engine.InstantiateModule(ctx, code, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	}, nil
})

// pool has as many instances as calls can run at once; nil: one that is not made yet. Further calls wait.
var pool = func() chan *module {
	all := make(chan *module, runtime.GOMAXPROCS(0))
	for range cap(all) {
		all <- nil
	}
	return all
}()

// trap is what ends a call in the middle of the module: memory that runs out.
type trap struct{ cause error }

// withModule lends an instance to work. After a trap its memory may be in any state, so it is dropped.
func withModule(work func(*module) error) (err error) {
	m := <-pool
	defer func() {
		if m != nil && m.memory.Size() > mostKept {
			m.instance.Close(ctx)
			m = nil
		}
		pool <- m
	}()
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case trap:
			if m != nil {
				m.instance.Close(ctx)
				m = nil
			}
			err = refusal("no_memory", "", "no memory is left: %v", fault.cause)
		default:
			panic(fault)
		}
	}()
	if m == nil {
		if m, err = newModule(); err != nil {
			return err
		}
	}
	return work(m)
}

func newModule() (made *module, err error) {
	instantiate, err := compiled()
	if err != nil {
		return nil, err
	}
	instance, err := instantiate()
	if err != nil {
		return nil, err
	}
	defer func() {
		if made == nil {
			instance.Close(ctx)
		}
	}()
	m := &module{instance: instance, memory: instance.Memory(), dialects: map[string]uint32{}}
	for i, name := range functionNames {
		if m.calls[i] = instance.ExportedFunction(name); m.calls[i] == nil {
			return nil, errors.New("gdvar: gdvar-packets.wasm lacks " + name)
		}
	}
	m.document, m.buffer, m.path = m.documentNew(), m.bufferNew(), m.bufferNew()
	m.err, m.given, m.bytes, m.result = m.alloc(sizeOfError), m.alloc(sizeOfOptions), m.alloc(sizeOfBytes), m.alloc(64)
	if m.document == 0 || m.buffer == 0 || m.path == 0 {
		panic(trap{errors.New("no memory for handles")})
	}
	return m, nil
}

// call calls a function whose arguments and result have 32 bits.
func (m *module) call(function int, arguments ...uint32) uint32 {
	for i, argument := range arguments {
		m.stack[i] = uint64(argument)
	}
	if err := m.calls[function].CallWithStack(ctx, m.stack[:max(1, len(arguments))]); err != nil {
		panic(trap{err})
	}
	return uint32(m.stack[0])
}

func (m *module) alloc(size uint32) uint32 {
	at := m.call(fnMalloc, size)
	if at == 0 {
		panic(trap{errors.New("malloc gave nothing")})
	}
	return at
}

// room makes an area at least that large and gives its address. Its bytes are lost.
func (m *module) room(a *area, size int) uint32 {
	if size > mostMemory {
		panic(trap{errors.New("more than the memory of an instance")})
	}
	if uint32(size) > a.size {
		if a.at != 0 {
			m.call(fnFree, a.at)
		}
		*a = area{}
		large := max(1024, uint32(size)+uint32(size)/4)
		*a = area{m.alloc(large), large}
	}
	return a.at
}

// view gives bytes of the memory, which are valid until the next call of the module.
func (m *module) view(at, size uint32) []byte {
	bytes, ok := m.memory.Read(at, size)
	if !ok {
		panic(trap{errors.New("an address off the memory")})
	}
	return bytes
}
func (m *module) write(at uint32, bytes []byte) { copy(m.view(at, uint32(len(bytes))), bytes) }
func (m *module) word(at uint32) uint32         { return binary.LittleEndian.Uint32(m.view(at, 4)) }
func (m *module) long(at uint32) uint64         { return binary.LittleEndian.Uint64(m.view(at, 8)) }
func (m *module) byte(at uint32) byte           { return m.view(at, 1)[0] }
func (m *module) setWord(at, value uint32)      { binary.LittleEndian.PutUint32(m.view(at, 4), value) }
func (m *module) setLong(at uint32, value uint64) {
	binary.LittleEndian.PutUint64(m.view(at, 8), value)
}

// text gives the text of the gdvar_text at an address.
func (m *module) text(at uint32) string {
	return string(m.view(m.word(at+textData), m.word(at+textSize)))
}

// cText gives a text that ends with a NUL.
func (m *module) cText(at uint32) string {
	end := at
	for m.byte(end) != 0 {
		end++
	}
	return string(m.view(at, end-at))
}

// give copies bytes into the input area and gives the address of a gdvar_bytes.
func (m *module) give(data []byte) uint32 {
	at := m.room(&m.input, len(data))
	m.write(at, data)
	m.setWord(m.bytes+bytesData, at)
	m.setWord(m.bytes+bytesSize, uint32(len(data)))
	return m.bytes
}

// take gives a copy of a buffer's bytes and empties it.
func (m *module) take(buffer uint32) []byte {
	m.bufferBytes(m.result, buffer)
	bytes := append([]byte(nil), m.view(m.word(m.result+bytesData), m.word(m.result+bytesSize))...)
	m.bufferClear(buffer)
	return bytes
}

// options gives the address of a gdvar_options.
func (m *module) options(o *Options) (uint32, error) {
	if o == nil {
		o = &Options{}
	}
	dialect, known := m.dialects[o.Dialect]
	if !known && o.Dialect != "" {
		m.write(m.room(&m.scratch, len(o.Dialect)+1), append([]byte(o.Dialect), 0))
		dialect = m.findDialect(m.scratch.at)
		if dialect == 0 {
			return 0, refusal("unknown_name", "", "there is no dialect %s", o.Dialect)
		}
		m.dialects[o.Dialect] = dialect
	}
	flags := uint32(0)
	for flag, is := range map[uint32]bool{optionAllowObjects: o.AllowObjects, optionStrict: o.Strict, optionAnyScript: o.AnyScript} {
		if is {
			flags |= flag
		}
	}
	limits := o.Limits
	m.setWord(m.given+optionsSize, sizeOfOptions)
	m.setWord(m.given+optionsFlags, flags)
	m.setWord(m.given+optionsDialect, dialect)
	m.setWord(m.given+optionsMaxDepth, or(limits.Depth, 1024))
	m.setLong(m.given+optionsMaxBytes, or(limits.Bytes, 1<<32-1))
	m.setLong(m.given+optionsMaxNodes, or(limits.Values, 1<<64-1))
	return m.given, nil
}
func or[T uint32 | uint64](value, otherwise T) T {
	if value == 0 {
		return otherwise
	}
	return value
}

// failure is the error of a call.
func (m *module) failure(path string) *Error {
	size := m.errorMessage(m.err, 0, 0)
	at := m.room(&m.scratch, int(size)+1)
	m.errorMessage(m.err, at, size+1)
	code := uint32(binary.LittleEndian.Uint16(m.view(m.err+errorCode, 2)))
	return &Error{
		Code: m.cText(m.errorName(code)), Kind: m.cText(m.errorKind(code)), Message: string(m.view(at, size)), Path: path,
		Offset: m.long(m.err + errorOffset), Need: m.long(m.err + errorNeed), Type: Type(m.byte(m.err + errorType)),
	}
}

// readError is the error of reading these bytes, with its path.
func (m *module) readError(bytes, options uint32) *Error {
	m.errorPath(bytes, options, m.err, m.path)
	return m.failure(string(m.take(m.path)))
}
