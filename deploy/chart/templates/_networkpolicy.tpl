{{/* The pods of a service: (root, service name). */}}
{{- define "parley.peer" -}}
{{- $values := (index . 0).Values -}}
- podSelector:
    matchLabels:
      app.kubernetes.io/name: {{ $values.namePrefix }}-{{ index . 1 }}
  {{- with $values.networkPolicy.peerNamespaces }}
  namespaceSelector:
    matchExpressions:
      - key: kubernetes.io/metadata.name
        operator: In
        values: {{ toJson . }}
  {{- end }}
{{- end -}}

{{/* A rule for `to` and `ports` of the values. */}}
{{- define "parley.egress" -}}
- ports:
    {{- range .ports }}
    - port: {{ . }}
    {{- else }}
    - protocol: TCP
    {{- end }}
  {{- with .to }}
  to: {{ toJson . }}
  {{- end }}
{{- end -}}

{{- define "parley.dnsEgress" -}}
- ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
  {{- with .to }}
  to: {{ toJson . }}
  {{- end }}
{{- end -}}
