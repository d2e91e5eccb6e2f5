package parley

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"time"
)

// Ptr returns a pointer to the value, for fields that may be absent.
func Ptr[T any](value T) *T { return &value }

// Field is a field of a request that is a value or null. A nil pointer leaves the field out.
type Field[T any] struct {
	value *T
}

// Set returns a field with a value.
func Set[T any](value T) *Field[T] { return &Field[T]{&value} }

// Null returns a field that is null.
func Null[T any]() *Field[T] { return &Field[T]{} }

// MarshalJSON returns the value or null.
func (f Field[T]) MarshalJSON() ([]byte, error) { return json.Marshal(f.value) }

// UnmarshalJSON reads the value.
func (f *Field[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &f.value) }

// OneOf is an object of one of several types, which [As] tells apart.
type OneOf struct{ json.RawMessage }

// As returns the object as a T if it has all required fields of a T.
func As[T any](o OneOf) (*T, bool) {
	var members map[string]json.RawMessage
	value := new(T)
	if json.Unmarshal(o.RawMessage, &members) != nil || unmarshal(o.RawMessage, value) != nil {
		return nil, false
	}
	for name, isOptional := range namesOf(reflect.TypeOf(*value)) {
		if members[name] == nil && !isOptional {
			return nil, false
		}
	}
	return value, true
}

// Instant returns the instant of a timestamp of the API such as CreatedAt, which is in UTC without a zone.
func Instant(text string) (time.Time, error) {
	return time.Parse("2006-01-02T15:04:05.999999999", text)
}

// namesOf returns the names of the fields in JSON, and whether they are optional.
func namesOf(t reflect.Type) map[string]bool {
	names := map[string]bool{}
	for i := 0; i < t.NumField(); i++ {
		if name, rest, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "-" && name != "" {
			names[name] = rest == "omitempty"
		}
	}
	return names
}

// unmarshal is open: it skips a value of another type than this version of the package knows.
func unmarshal(data []byte, value any) error {
	err := json.Unmarshal(data, value)
	if other := (*json.UnmarshalTypeError)(nil); errors.As(err, &other) {
		return nil
	}
	return err
}

// decode reads an object of an answer, and keeps the fields that value does not have.
func decode(data []byte, value any, extra *map[string]json.RawMessage) error {
	members := map[string]json.RawMessage{}
	if err := unmarshal(data, &members); err != nil {
		return err
	}
	for name := range namesOf(reflect.TypeOf(value).Elem()) {
		delete(members, name)
	}
	if len(members) > 0 {
		*extra = members
	}
	return unmarshal(data, value)
}

// encode writes an object as the API wrote it, with the extra fields.
func encode(value any, extra map[string]json.RawMessage) ([]byte, error) {
	data, err := json.Marshal(value)
	if err != nil || len(extra) == 0 {
		return data, err
	}
	more, err := json.Marshal(extra)
	if bytes.Equal(data, []byte("{}")) {
		return more, err
	}
	return append(append(data[:len(data)-1], ','), more[1:]...), err
}

// bodyOf returns the value as JSON has it: what is optional and nil is left out, but an empty list is sent.
func bodyOf(value any) any {
	v := reflect.ValueOf(value)
	if v.IsValid() && v.Type().Implements(reflect.TypeOf((*json.Marshaler)(nil)).Elem()) {
		return value
	}
	switch v.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return bodyOf(v.Elem().Interface())
	case reflect.Slice:
		items := make([]any, v.Len())
		for i := range items {
			items[i] = bodyOf(v.Index(i).Interface())
		}
		return items
	case reflect.Struct:
		members := map[string]any{}
		for i := 0; i < v.NumField(); i++ {
			name, rest, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if name == "" || name == "-" || rest == "omitempty" && isAbsent(v.Field(i)) {
				continue
			}
			members[name] = bodyOf(v.Field(i).Interface())
		}
		return members
	}
	return value
}

func isAbsent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return v.IsNil()
	}
	// An optional enum.
	return v.Kind() == reflect.String && v.Len() == 0
}

// queryOf returns the fields of a pointer to a struct that are not zero.
func queryOf(query any) url.Values {
	values := url.Values{}
	v := reflect.Indirect(reflect.ValueOf(query))
	for i := 0; v.IsValid() && i < v.NumField(); i++ {
		name, field := v.Type().Field(i).Tag.Get("json"), v.Field(i)
		for at := 0; field.Kind() == reflect.Slice && at < field.Len(); at++ {
			values.Add(name, field.Index(at).String())
		}
		if field.Kind() != reflect.Slice && !field.IsZero() {
			values.Set(name, fmt.Sprint(reflect.Indirect(field).Interface()))
		}
	}
	return values
}
