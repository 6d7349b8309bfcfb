// Package wire puts messages into datagrams and takes them out again.
//
// A datagram is a CBOR sequence (RFC 8742): a fixed head, the algorithm's
// message, and optional items that flags in the head announce; see [Envelope].
// Whatever arrives is untrusted: decoding never panics, never keeps the
// caller's bytes except where it says so, and allocates no more than a small
// multiple of the datagram, which is at most [MaxDatagram] bytes.
package wire

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"sync"

	"github.com/fxamacker/cbor/v2"
)

// MaxDatagram is the greatest size of a datagram in bytes: it fits the least MTU
// of IPv6 (1280) with its headers.
const MaxDatagram = 1200

// MaxBody is the greatest size of an encoded message in bytes. The rest of the
// datagram is for the envelope, names, notices, what the sender says of itself and an authentication tag.
const MaxBody = 680

var (
	encoding = must(cbor.EncOptions{
		ShortestFloat: cbor.ShortestFloat16,
		IndefLength:   cbor.IndefLengthForbidden,
		TagsMd:        cbor.TagsForbidden,
		NilContainers: cbor.NilContainerAsEmpty, // null is not decoded
	}.UserBufferEncMode())
	decoding = must(cbor.DecOptions{
		IndefLength:      cbor.IndefLengthForbidden,
		TagsMd:           cbor.TagsForbidden,
		MaxNestedLevels:  7,
		MaxArrayElements: MaxDatagram,
		MaxMapPairs:      16,
		// null would leave a field as it is instead of setting it
		SimpleValues: must(cbor.NewSimpleValueRegistryFromDefaults(
			cbor.WithRejectedSimpleValue(22), cbor.WithRejectedSimpleValue(23))),
	}.DecMode())
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // of constants above: fails in every run or in none
	}
	return v
}

// Codec encodes and decodes messages of type M. Safe for concurrent use.
type Codec[M any] struct{ any *Any }

// Any is the codec of a message type that is known when the program runs: messages go in and out by a pointer to them.
type Any struct{ typ reflect.Type }

// NewCodec derives the codec of a message type once. M is a plain value: a
// number, bool or string, an array or slice of plain values, or a struct of
// exported plain fields that is tagged
//
//	_ struct{} `cbor:",toarray"`
//
// so that it travels as an array of exactly its fields. Anything else is an error.
func NewCodec[M any]() (*Codec[M], error) {
	c, err := CodecOf(reflect.TypeFor[M]())
	if err != nil {
		return nil, err
	}
	return &Codec[M]{c}, nil
}

// CodecOf is NewCodec of a type.
func CodecOf(t reflect.Type) (*Any, error) {
	if err := plain(t, 0); err != nil {
		return nil, fmt.Errorf("message type %v: %w", t, err)
	}
	return &Any{t}, nil
}

func plain(t reflect.Type, depth int) error {
	if depth > 5 {
		return fmt.Errorf("nested deeper than 5 levels")
	}
	switch k := t.Kind(); {
	case k == reflect.Bool, k >= reflect.Int && k <= reflect.Uint64, k == reflect.Float32, k == reflect.Float64,
		k == reflect.String:
		return nil
	case k == reflect.Array, k == reflect.Slice:
		return plain(t.Elem(), depth+1)
	case k != reflect.Struct:
		return fmt.Errorf("%v is no plain value", t)
	}
	tag := false
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Name == "_":
			tag = tag || f.Tag.Get("cbor") == ",toarray"
		case !f.IsExported():
			return fmt.Errorf("field %s of %v is not exported and would be lost", f.Name, t)
		default:
			if err := plain(f.Type, depth+1); err != nil {
				return fmt.Errorf("field %s: %w", f.Name, err)
			}
		}
	}
	if !tag {
		return fmt.Errorf("%v lacks the field _ struct{} `cbor:\",toarray\"`", t)
	}
	return nil
}

// Encode gives m in at most MaxBody bytes; a longer message is an error.
func (c *Codec[M]) Encode(m *M) ([]byte, error) { return c.any.Encode(m) }

// Encode is Codec.Encode of the message that m points to.
func (c *Any) Encode(m any) ([]byte, error) {
	b, err := encoding.Marshal(m)
	if err == nil && len(b) > MaxBody {
		err = fmt.Errorf("message of %d bytes, at most %d are allowed", len(b), MaxBody)
	}
	return b, err
}

// Decode reads exactly one message. It refuses a wrong number of fields, numbers
// out of a field's range, nulls, tags, indefinite lengths and trailing bytes.
func (c *Codec[M]) Decode(b []byte) (m M, err error) {
	err = c.any.Decode(b, &m)
	return m, err
}

// Decode is Codec.Decode into the zero message that m points to.
func (c *Any) Decode(b []byte, m any) error {
	if len(b) > MaxBody {
		return fmt.Errorf("message of %d bytes, at most %d are allowed", len(b), MaxBody)
	}
	return decoding.Unmarshal(b, m)
}

// SizeOf gives the encoded size of the message that m points to, however long it is; 0 if it is of another type.
func (c *Any) SizeOf(m any) int {
	if t := reflect.TypeOf(m); t == nil || t.Kind() != reflect.Pointer || t.Elem() != c.typ {
		return 0
	}
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	_ = encoding.MarshalToBuffer(m, b) // too long for a datagram is still a size
	return b.Len()
}

// buffers are for what is only measured.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Longest gives the size of the longest message of a type, which a datagram may not have room for.
func Longest(t reflect.Type) (int, error) {
	longest := reflect.New(t)
	Fill(longest.Elem())
	b, err := encoding.Marshal(longest.Interface())
	return len(b), err
}

// Fill gives every number the value that takes most bytes, but for fields that no agent sets.
func Fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("caucus") != "simulated" {
				Fill(v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			Fill(v.Index(i))
		}
	case reflect.Float64, reflect.Float32:
		v.SetFloat(math.Pi)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(math.MinInt64 >> (64 - v.Type().Bits()))
	default:
		v.SetUint(math.MaxUint64 >> (64 - v.Type().Bits()))
	}
}
