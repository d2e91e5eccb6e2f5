package parley

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func serve(t *testing.T, handle http.HandlerFunc, options ...Option) *WorkspaceClient {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	client, err := New(server.URL, "key", "secret", options...)
	if err != nil {
		t.Fatal(err)
	}
	return client.Workspace("w")
}

func TestTheEndOfTheContextEndsACallAndItsRetries(t *testing.T) {
	var count int32
	ctx, cancel := context.WithCancel(context.Background())
	workspace := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		atomic.AddInt32(&count, 1)
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusServiceUnavailable)
		time.AfterFunc(10*time.Millisecond, cancel)
	})
	if _, err := workspace.Branding.Get(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := workspace.Customers.List(ctx, nil).Page(); !errors.Is(err, context.Canceled) || count != 1 {
		t.Fatal(err, count)
	}
}

func TestAStreamHasNoTimeLimitBetweenReads(t *testing.T) {
	workspace := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("id"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	body, err := workspace.Interactions.Export(context.Background(), nil).CSV()
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if count, err := body.Read(make([]byte, 2)); count == 0 || err != nil {
		t.Fatal(count, err)
	}
	if body.(*stream).timer.Stop() {
		t.Fatal("the timer runs on")
	}
}

func TestAnExportMayBeSilentForTwoMinutesOrTheLongerLimitOfTheCaller(t *testing.T) {
	workspace := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	for given, limit := range map[time.Duration]time.Duration{15 * time.Second: 2 * time.Minute, time.Hour: time.Hour} {
		body, err := workspace.Interactions.Export(context.Background(), nil, WithTimeout(given)).CSV()
		if err != nil {
			t.Fatal(err)
		}
		defer body.Close()
		if found := body.(*stream).timeout; found != limit {
			t.Fatal(found)
		}
		body.(*stream).timeout = time.Millisecond
		var noAnswer *NoAnswerError
		if _, err = body.Read(make([]byte, 1)); !errors.As(err, &noAnswer) {
			t.Fatal(err)
		}
	}
}

func TestGoroutinesShareAClient(t *testing.T) {
	workspace := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"success": true, "data": {"id": "` + r.Header.Get("X-Test") + `", "new": [1]}}`))
	}, WithHeader("X-Other", "1"))
	var group sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		group.Add(1)
		go func(name string) {
			defer group.Done()
			customer, err := workspace.Customers.Get(context.Background(), name, WithHeader("X-Test", name))
			if err != nil || customer.ID != name || string(customer.Extra["new"]) != "[1]" {
				t.Error(customer, err)
			}
		}(name)
	}
	group.Wait()
}

func TestABodyHasWhatIsGiven(t *testing.T) {
	var body string
	workspace := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var given json.RawMessage
		_ = json.NewDecoder(r.Body).Decode(&given)
		body = string(given)
		_, _ = w.Write([]byte(`{"success": true, "data": {}}`))
	})
	change := WebhookOptionsChange{Headers: map[string]string{}, Filter: Null[string](), Envelope: Ptr(false)}
	_, err := workspace.Webhooks.UpdateOptions(context.Background(), "h", change)
	if err != nil || body != `{"envelope":false,"filter":null,"headers":{}}` {
		t.Fatal(body, err)
	}
}

func TestAnAnswerWithOtherTypesIsNoError(t *testing.T) {
	workspace := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"success": true, "data": [{"id": 1, "name": "Nps"}, null, {"context": "x"}]}`))
	})
	page, err := workspace.Bots.List(context.Background(), nil).Page()
	if err != nil || len(page.Data) != 3 || page.Data[0].Name != "Nps" {
		t.Fatal(page, err)
	}
}

func TestOptionsThatAreNilAreTheDefault(t *testing.T) {
	workspace := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"success": true, "data": {"id": "a"}}`))
	})
	if _, err := workspace.Customers.Get(context.Background(), "a", nil, WithHTTPClient(nil), WithAnswer(nil)); err != nil {
		t.Fatal(err)
	}
}

func TestARequestHasOneIdempotencyKey(t *testing.T) {
	var sent http.Header
	workspace := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sent = r.Header
		_, _ = w.Write([]byte(`{"success": true, "data": {"id": "a"}}`))
	})
	_, err := workspace.Customers.Create(context.Background(), NewCustomer{ID: "a"}, WithHeader("Idempotency-Key", "own"))
	if keys := sent.Values("Idempotency-Key"); err != nil || len(keys) != 1 || keys[0] != "own" {
		t.Fatal(keys, err)
	}
}

func TestAnEmptySecretTokenFitsNoURL(t *testing.T) {
	if HasSecretToken("/hook?secretToken=", "secretToken", "") || !HasSecretToken("/hook?secretToken=a", "secretToken", "a") {
		t.Fatal("another verdict")
	}
}

func TestATimestampIsInUTC(t *testing.T) {
	at, err := Instant("2026-11-21T09:30:00.123456")
	if err != nil || at.Format(time.RFC3339Nano) != "2026-11-21T09:30:00.123456Z" {
		t.Fatal(at, err)
	}
}

func TestNothingPrintsASecret(t *testing.T) {
	const secret = "of-nobody-else"
	client, err := New("http://localhost", "key", secret)
	if err != nil {
		t.Fatal(err)
	}
	workspace := client.Workspace("w")
	token := CustomerToken{CustomerID: "c", Secret: secret}
	list := workspace.Customers.List(context.Background(), nil)
	values := []any{
		client, *client, client.Public, *client.Public.Session("w", secret), workspace, *workspace, *client.KeyCalls.s,
		list, *list, *list.Pages(), *workspace.Interactions.Export(context.Background(), nil), WithHeader("a", secret),
		token, &token, []any{token}, RotateSigningSecretResult{SigningSecret: secret}, &NewWebhook{SecretToken: secret},
	}
	for _, value := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			text := fmt.Sprintf(verb, value)
			for _, form := range []string{secret, base64.StdEncoding.EncodeToString([]byte("key:" + secret)), hex.EncodeToString([]byte(secret))} {
				if strings.Contains(text, form) {
					t.Errorf("%s of a %T: %s", verb, value, text)
				}
			}
		}
	}
	if text := fmt.Sprint(token); !strings.Contains(text, "CustomerID:c") {
		t.Error(text)
	}
}

func TestCurrentIsEmptyBeforeNextAndTheLastOneAfterTheEnd(t *testing.T) {
	workspace := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"success": true, "data": [{"id": "a"}], "meta": null}`))
	})
	list := workspace.Customers.List(context.Background(), nil)
	pages := workspace.Customers.List(context.Background(), nil).Pages()
	export := workspace.Interactions.Export(context.Background(), nil)
	if list.Current().ID != "" || len(pages.Current().Data) > 0 || export.Current().ID != "" {
		t.Fatal(list.Current(), pages.Current(), export.Current())
	}
	for list.Next() {
	}
	if list.Current().ID != "a" || list.Next() || list.Err() != nil {
		t.Fatal(list.Current(), list.Err())
	}
}
