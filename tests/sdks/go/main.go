// The runner of the cases for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.parley.example/parley"
)

type object = map[string]any

var (
	input struct {
		BaseURL   string
		Variables object
		Cases     []object
	}
	variable = regexp.MustCompile(`\$\{(\w+)\}`)
)

func main() {
	must(json.NewDecoder(os.Stdin).Decode(&input))
	outcomes := object{}
	for index, one := range input.Cases {
		outcomes[one["name"].(string)] = runCase(one, input.BaseURL+"/"+strconv.Itoa(index))
	}
	must(json.NewEncoder(os.Stdout).Encode(object{"outcomes": outcomes, "variables": input.Variables}))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func runCase(one object, baseURL string) []object {
	var options []parley.Option
	given, _ := one["client"].(object)
	if seconds, ok := given["timeoutSeconds"].(float64); ok {
		options = append(options, parley.WithTimeout(secondsOf(seconds)))
	}
	if retries, ok := given["retries"].(float64); ok {
		options = append(options, parley.WithRetries(int(retries)))
	}
	outcomes := []object{}
	for _, step := range one["steps"].([]any) {
		client, err := parley.New(baseURL, text("apiKey"), text("apiSecret"), options...)
		must(err)
		save, _ := step.(object)["save"].(object)
		value, err := runStep(filled(step).(object), client)
		if err != nil {
			outcomes = append(outcomes, object{"error": described(err)})
			continue
		}
		value = plain(value)
		for name, path := range save {
			input.Variables[name] = valueAt(value, path.(string))
		}
		outcomes = append(outcomes, object{"value": value})
	}
	return outcomes
}

func runStep(step object, client *parley.Client) (any, error) {
	if given, ok := step["sign"].(object); ok {
		token := parley.CustomerToken{WorkspaceID: text("workspaceId")}
		token.CustomerID, _ = given["customerId"].(string)
		token.KeyID, _ = given["kid"].(string)
		token.Secret, _ = given["secret"].(string)
		if seconds, ok := given["expiresInSeconds"].(float64); ok {
			// 0 is the default in Go.
			token.ExpiresIn = secondsOf(seconds) - time.Nanosecond*time.Duration(b2i(seconds == 0))
		}
		return token.Sign()
	}
	if given, ok := step["verify"].(object); ok {
		return verify(given)
	}
	least, _ := step["until"].(float64)
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		value, err := runCall(step, client)
		count := b2i(plain(value) != nil)
		if items := reflect.ValueOf(value); items.Kind() == reflect.Slice {
			count = items.Len()
		}
		if err != nil || count >= int(least) || time.Now().After(until) {
			return value, err
		}
	}
}

func b2i(value bool) int {
	if value {
		return 1
	}
	return 0
}

func verify(given object) (any, error) {
	headers := http.Header{}
	for name, value := range given["headers"].(object) {
		headers.Set(name, value.(string))
	}
	var secrets []string
	for _, secret := range given["secrets"].([]any) {
		secrets = append(secrets, secret.(string))
	}
	options := []parley.VerifyOption{parley.WithNow(time.Unix(int64(given["now"].(float64)), 0))}
	if seconds, ok := given["toleranceSeconds"].(float64); ok {
		options = append(options, parley.WithTolerance(secondsOf(seconds)))
	}
	event, err := parley.VerifyWebhook(headers, []byte(given["body"].(string)), secrets, options...)
	if err != nil {
		return nil, err
	}
	// A typed event has its data in a field, a completion without an envelope is the data.
	data := plain(event.Event)
	if envelope, ok := data.(object); ok && envelope["type"] != nil {
		data = envelope["data"]
	} else if data == nil {
		data = plain(event.Body).(object)["data"]
	}
	sentAt := float64(event.SentAt.Unix())
	return object{"id": event.ID, "type": event.Type, "test": event.IsTest, "sentAt": sentAt, "data": data}, nil
}

// runCall calls the method of the client by its name, with arguments read from JSON.
func runCall(step object, client *parley.Client) (any, error) {
	of, _ := step["of"].(string)
	target := map[string]func() reflect.Value{
		"parley": func() reflect.Value { return reflect.ValueOf(client).Elem() },
		"":       func() reflect.Value { return reflect.ValueOf(client.Workspace(text("workspaceId"))).Elem() },
		"public": func() reflect.Value { return reflect.ValueOf(&client.Public).Elem() },
		"session": func() reflect.Value {
			return reflect.ValueOf(client.Public.Session(text("workspaceId"), text("sessionToken"))).Elem()
		},
	}[strings.Replace(of, "workspace", "", 1)]()
	names := strings.Split(step["call"].(string), ".")
	for _, name := range names[:len(names)-1] {
		target = target.FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) })
	}
	method := methodOf(target, names[len(names)-1])
	options, answer := optionsOf(step)
	path, _ := step["path"].([]any)
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	for i := 1; i < method.Type().NumIn()-1; i++ {
		argument := reflect.New(method.Type().In(i))
		switch kind := method.Type().In(i).Kind(); {
		case len(path) > 0 && (kind == reflect.String || kind == reflect.Int):
			read(argument, path[0], kind)
			path = path[1:]
		case strings.HasSuffix(method.Type().In(i).String(), "Query"):
			read(argument, step["query"], kind)
		default:
			read(argument, step["body"], kind)
		}
		arguments = append(arguments, argument.Elem())
	}
	for _, option := range options {
		arguments = append(arguments, reflect.ValueOf(option))
	}
	value, err := resultOf(method.Call(arguments), step)
	if step["answer"] == true && err == nil {
		return object{"etag": answer.ETag, "isReplayed": answer.IsReplayed}, nil
	}
	return value, err
}

func methodOf(target reflect.Value, name string) reflect.Value {
	for i := 0; i < target.NumMethod(); i++ {
		if strings.EqualFold(target.Type().Method(i).Name, name) {
			return target.Method(i)
		}
	}
	panic("there is no method " + name)
}

// read also reads a number for a string and the other way round: paths have both.
func read(target reflect.Value, value any, kind reflect.Kind) {
	if value == nil {
		return
	}
	content, err := json.Marshal(value)
	must(err)
	if kind == reflect.Int {
		content = []byte(strings.Trim(string(content), `"`))
	} else if kind == reflect.String {
		content = []byte(strconv.Quote(fmt.Sprint(value)))
	}
	must(json.Unmarshal(content, target.Interface()))
}

func optionsOf(step object) ([]parley.Option, *parley.Answer) {
	answer := &parley.Answer{}
	options := []parley.Option{parley.WithAnswer(answer)}
	given, _ := step["options"].(object)
	for name, value := range given {
		switch name {
		case "timeoutSeconds":
			options = append(options, parley.WithTimeout(secondsOf(value.(float64))))
		case "idempotencyKey":
			options = append(options, parley.WithIdempotencyKey(value.(string)))
		case "ifMatch":
			options = append(options, parley.WithIfMatch(value.(string)))
		case "ifNoneMatch":
			options = append(options, parley.WithIfNoneMatch(value.(string)))
		case "requestId":
			options = append(options, parley.WithRequestID(value.(string)))
		case "headers":
			for field, text := range value.(object) {
				options = append(options, parley.WithHeader(field, text.(string)))
			}
		}
	}
	return options, answer
}

// resultOf reads a list or an export as the step says.
func resultOf(results []reflect.Value, step object) (any, error) {
	last := results[len(results)-1].Interface()
	if err, ok := last.(error); ok {
		return nil, err
	}
	result := results[0]
	if export, ok := result.Interface().(*parley.Export); ok && step["read"] == "csv" {
		rows, err := export.CSV()
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		content, err := io.ReadAll(rows)
		return string(content), err
	}
	if step["read"] == "page" {
		page := result.MethodByName("Page").Call(nil)
		err, _ := page[1].Interface().(error)
		return object{"data": page[0].Elem().FieldByName("Data").Interface(), "meta": page[0].Elem().FieldByName("Meta").Interface()}, err
	}
	if !result.MethodByName("Next").IsValid() {
		if content, ok := result.Interface().([]byte); ok {
			return string(content), nil
		}
		return result.Interface(), nil
	}
	if step["read"] == "pages" {
		result = result.MethodByName("Pages").Call(nil)[0]
	}
	items := []any{}
	for result.MethodByName("Next").Call(nil)[0].Bool() {
		current := result.MethodByName("Current").Call(nil)[0]
		if step["read"] == "pages" {
			current = current.Elem().FieldByName("Data")
		}
		items = append(items, plain(current.Interface()))
	}
	err, _ := result.MethodByName("Err").Call(nil)[0].Interface().(error)
	return items, err
}

func described(err error) object {
	var argument *parley.ArgumentError
	var verification *parley.WebhookVerificationError
	var failure *parley.APIError
	switch {
	case errors.As(err, &argument):
		return object{"kind": "argument", "detail": err.Error()}
	case errors.As(err, &verification):
		return object{"kind": "verification", "detail": err.Error()}
	case !errors.As(err, &failure):
		return object{"kind": err.Error()}
	}
	kind := strings.TrimSuffix(reflect.TypeOf(err).Elem().Name(), "Error")
	known := object{"kind": kind, "type": failure.Type, "detail": failure.Detail, "errors": failure.Errors}
	if failure.Status != 0 {
		known["status"] = failure.Status
	}
	if failure.RequestID != "" {
		known["requestId"] = failure.RequestID
	}
	return known
}

func plain(value any) any {
	var result any
	content, err := json.Marshal(value)
	must(err)
	must(json.Unmarshal(content, &result))
	return result
}

func filled(value any) any {
	switch value := value.(type) {
	case string:
		if found := variable.FindStringSubmatch(value); found != nil && found[0] == value {
			return input.Variables[found[1]]
		}
		return variable.ReplaceAllStringFunc(value, func(found string) string {
			return fmt.Sprint(input.Variables[found[2:len(found)-1]])
		})
	case []any:
		items := make([]any, len(value))
		for i, one := range value {
			items[i] = filled(one)
		}
		return items
	case object:
		members := object{}
		for name, one := range value {
			if name != "save" {
				members[name] = filled(one)
			}
		}
		return members
	}
	return value
}

func valueAt(value any, path string) any {
	for _, name := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' }) {
		if items, ok := value.([]any); ok {
			if index, _ := strconv.Atoi(name); index < len(items) {
				value = items[index]
				continue
			}
		}
		members, _ := value.(object)
		value = members[name]
	}
	return value
}

func text(name string) string {
	value, _ := input.Variables[name].(string)
	return value
}

func secondsOf(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
