package gdvar

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// Stream carries values over a connection as Godot's StreamPeer does: each packet behind its length, 32 bits. One goroutine may read while
// another writes.
type Stream struct {
	// BigEndian is the big_endian of the StreamPeer. PacketPeerStream has false.
	BigEndian bool
	options   Options
	stream    io.ReadWriter
	position  uint64
	broken    error
}

// NewStream speaks put_var over a stream, such as a net.Conn. nil options have the limits of Network, as a peer is on the other side.
func NewStream(stream io.ReadWriter, options *Options) *Stream {
	if options == nil {
		options = &Options{Limits: Network}
	}
	return &Stream{stream: stream, options: *options}
}

func (s *Stream) order() binary.ByteOrder {
	if s.BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// GetPacket gives the next packet; io.EOF: the stream has ended. After any error the stream is lost: an *Error for a length beyond the limit
// (bad_length, size_limit) or an end within a packet (truncated), or the error of the stream.
func (s *Stream) GetPacket() ([]byte, error) {
	if s.broken != nil {
		return nil, s.broken
	}
	packet, err := s.packet()
	s.broken = err
	return packet, err
}
func (s *Stream) packet() ([]byte, error) {
	var head [4]byte
	if n, err := io.ReadFull(s.stream, head[:]); err != nil {
		return nil, s.ended(err, n, 4-n)
	}
	length := s.order().Uint32(head[:])
	switch limit := or(s.options.Limits.Bytes, math.MaxInt32); {
	case length > math.MaxInt32:
		return nil, s.refuse("bad_length", length, limit)
	case uint64(length) > limit:
		return nil, s.refuse("size_limit", length, limit)
	}
	// The memory grows with the bytes that come.
	var packet bytes.Buffer
	if n, err := io.CopyN(&packet, s.stream, int64(length)); err != nil {
		return nil, s.ended(err, 4+int(n), int(length)-int(n))
	}
	s.position += 4 + uint64(length)
	return packet.Bytes(), nil
}
func (s *Stream) refuse(code string, length uint32, limit uint64) error {
	err := refusal(code, "", "a packet of %d bytes, the limit is %d", length, limit)
	err.Offset = s.position
	return err
}

// ended is the error of a stream that ended after so many bytes of a packet.
func (s *Stream) ended(err error, read, need int) error {
	if read == 0 || !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	made := refusal("truncated", "", "the stream ends within a packet: %d more bytes are needed", need)
	made.Offset, made.Need = s.position, uint64(need)
	return made
}

// PutPacket sends a packet behind its length, in one Write.
func (s *Stream) PutPacket(packet []byte) error {
	if len(packet) > math.MaxInt32 {
		return refusal("too_large", "", "a packet of %d bytes", len(packet))
	}
	framed := make([]byte, 4+len(packet))
	s.order().PutUint32(framed, uint32(len(packet)))
	copy(framed[4:], packet)
	_, err := s.stream.Write(framed)
	return err
}

// GetVar gives the next value. An *Error of Decode does not end the stream: the next value can be read (Lost says).
func (s *Stream) GetVar() (Value, error) {
	packet, err := s.GetPacket()
	if err != nil {
		return nil, err
	}
	return Decode(packet, &s.options)
}

// Lost says whether the stream has ended: no more packets can be read.
func (s *Stream) Lost() bool { return s.broken != nil }

// PutVar sends a value.
func (s *Stream) PutVar(value any) error {
	packet, err := Encode(value, &s.options)
	if err != nil {
		return err
	}
	return s.PutPacket(packet)
}
