{{/* What each service of this Parley is in the code, as YAML: files/services.yaml without what is not enabled. */}}
{{- define "parley.facts" -}}
{{- $facts := dict -}}
{{- $declared := (.Files.Get "files/services.yaml" | fromYaml).services -}}
{{- range $name, $service := $declared -}}
{{- if or (not $service.isOptional) (get $.Values $name).enabled -}}{{- $_ := set $facts $name $service -}}{{- end -}}
{{- end -}}
{{- range $name, $service := $facts -}}
{{- $calls := list -}}
{{- range $service.calls -}}{{- if hasKey $facts . -}}{{- $calls = append $calls . -}}{{- end -}}{{- end -}}
{{- $_ := set $service "calls" $calls -}}
{{- end -}}
{{- toYaml $facts -}}
{{- end -}}

{{/* The services of the release by name, as YAML: facts, values of `services` over `defaults`, and derived values. */}}
{{- define "parley.services" -}}
{{- $services := dict -}}
{{- range $name, $facts := include "parley.facts" . | fromYaml -}}
{{- if has $name $.Values.release -}}
{{- $own := get $.Values.services $name -}}
{{- $service := mustMergeOverwrite (deepCopy $.Values.defaults) (deepCopy $own) $facts -}}
{{- range $facts.unread -}}{{- $_ := set $service "secrets" (omit $service.secrets .) -}}{{- end -}}
{{- $_ := set $service "object" (printf "%s-%s" $.Values.namePrefix $name) -}}
{{- $_ := set $service "image" (include "parley.image" (list $ $name $service.image) | fromYaml) -}}
{{- $_ := set $service "tlsSecret" (ternary (printf "%s-tls" $service.object) "" $.Values.rpcTls.enabled) -}}
{{- $_ := set $service "variables" (include "parley.variables" (list $ $name $service) | fromYaml) -}}
{{- $_ := set $services $name $service -}}
{{- end -}}
{{- end -}}
{{- toYaml $services -}}
{{- end -}}

{{- define "parley.image" -}}
{{- $root := index . 0 -}}
{{- $image := index . 2 -}}
{{- $tag := $image.tag | default $root.Chart.AppVersion -}}
{{- $registry := required "defaults.image.registry is required" $image.registry -}}
reference: {{ printf "%s/parley-%s:%s" $registry (index . 1) $tag | quote }}
version: {{ splitList "@" $tag | first | quote }}
pullPolicy: {{ $image.pullPolicy }}
pullSecrets: {{ toJson $image.pullSecrets }}
{{- end -}}

{{/* The variables of a service that are no secrets. */}}
{{- define "parley.variables" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $service := index . 2 -}}
{{- $values := $root.Values -}}
{{- $variables := dict "LISTEN" (printf "0.0.0.0:%v" $service.port) -}}
{{- range $service.calls -}}
{{- $address := get $values.addresses . | default (printf "dns:///%s-%s:50051" $values.namePrefix .) -}}
{{- $_ := set $variables (printf "%s_ADDRESS" (upper .)) $address -}}
{{- end -}}
{{- if $service.isLinking -}}
{{- $_ := set $variables "LANDING_URL" (required "landingUrl is required" $values.landingUrl) -}}
{{- end -}}
{{- if and (ne $name "gateway") $values.migrationJob.enabled -}}
{{- $_ := set $variables "MIGRATE_ON_START" "false" -}}
{{- end -}}
{{- if $values.metrics.enabled -}}{{- $_ := set $variables "METRICS_LISTEN" "0.0.0.0:9464" -}}{{- end -}}
{{- with $values.otlpEndpoint -}}{{- $_ := set $variables "OTEL_EXPORTER_OTLP_ENDPOINT" . -}}{{- end -}}
{{- if or $values.extraCa.configMap $values.extraCa.secret -}}
{{- $_ := set $variables "NODE_EXTRA_CA_CERTS" "/etc/parley/ca/ca.crt" -}}
{{- end -}}
{{- mustMergeOverwrite $variables $service.env | toYaml -}}
{{- end -}}

{{/* The secrets of a service that its pods get as files, as YAML: (root, service). */}}
{{- define "parley.secretFiles" -}}
{{- $files := dict -}}
{{- if (index . 0).Values.secretFiles -}}
{{- $settings := ((index . 0).Files.Get "files/services.yaml" | fromYaml).secretSettings -}}
{{- range $variable, $secret := (index . 1).secrets -}}
{{- if has $variable $settings -}}
{{- $_ := set $files $variable $secret -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $files -}}
{{- end -}}

{{/* Labels of an object of a service: (root, service). */}}
{{- define "parley.labels" -}}
{{ include "parley.podLabels" . }}
{{- with index . 0 }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
{{- end -}}

{{/* Labels of a pod: (root, service). A new version of the chart alone does not restart it. */}}
{{- define "parley.podLabels" -}}
{{- $root := index . 0 -}}
{{- $service := index . 1 -}}
app.kubernetes.io/name: {{ $service.object }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/version: {{ $service.image.version | quote }}
app.kubernetes.io/part-of: {{ $root.Values.namePrefix }}
{{- end -}}

{{/* Labels of objects of no single service. */}}
{{- define "parley.commonLabels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/part-of: {{ .Values.namePrefix }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{/* What the pods of Deployment and migration job share: (root, service). */}}
{{- define "parley.podSettings" -}}
{{- $service := index . 1 -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  # The user of the images.
  runAsUser: 65532
  runAsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
terminationGracePeriodSeconds: 20
{{- range $key := list "nodeSelector" "tolerations" "affinity" "priorityClassName" }}
{{- with get $service $key }}
{{ $key }}: {{ toJson . }}
{{- end }}
{{- end }}
{{- with $service.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
volumes:
  - name: tmp
    # Nothing larger is written: the root file system is read-only.
    emptyDir: { sizeLimit: 64Mi }
  {{- with include "parley.secretFiles" . | fromYaml }}
  - name: secrets
    projected:
      sources:
        {{- range $variable, $secret := . }}
        - secret:
            name: {{ $secret.name }}
            items: [{ key: {{ $secret.key }}, path: {{ $variable }} }]
        {{- end }}
  {{- end }}
  {{- with $service.tlsSecret }}
  - name: rpc-tls
    secret:
      secretName: {{ . }}
  {{- end }}
  {{- with (index . 0).Values.extraCa }}
  {{- if .configMap }}
  - name: ca
    configMap:
      name: {{ .configMap }}
      items: [{ key: {{ .key }}, path: ca.crt }]
  {{- else if .secret }}
  - name: ca
    secret:
      secretName: {{ .secret }}
      items: [{ key: {{ .key }}, path: ca.crt }]
  {{- end }}
  {{- end }}
{{- end -}}

{{/* What the containers of Deployment and migration job share: (root, service). */}}
{{- define "parley.containerSettings" -}}
{{- $service := index . 1 -}}
{{- $files := include "parley.secretFiles" . | fromYaml -}}
image: {{ $service.image.reference }}
imagePullPolicy: {{ $service.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- $_ := required "resources.limits.memory is required: without it, a replica can take the memory of its machine" (($service.resources).limits).memory }}
resources: {{ toJson $service.resources }}
env:
  {{- range $variable, $value := $service.variables }}
  - name: {{ $variable }}
    value: {{ quote $value }}
  {{- end }}
  {{- range $variable, $_ := $files }}
  - name: {{ $variable }}_FILE
    value: /etc/parley/secrets/{{ $variable }}
  {{- end }}
  {{- if $service.tlsSecret }}
  - name: RPC_TLS_CA_FILE
    value: /etc/parley/rpc-tls/ca.crt
  - name: RPC_TLS_CERT_FILE
    value: /etc/parley/rpc-tls/tls.crt
  - name: RPC_TLS_KEY_FILE
    value: /etc/parley/rpc-tls/tls.key
  {{- end }}
  {{- range $variable, $secret := $service.secrets }}
  {{- if not (hasKey $files $variable) }}
  - name: {{ $variable }}
    valueFrom:
      secretKeyRef: { name: {{ $secret.name }}, key: {{ $secret.key }} }
  {{- end }}
  {{- end }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  {{- if $files }}
  # Without subPath, which would keep the first content.
  - name: secrets
    mountPath: /etc/parley/secrets
    readOnly: true
  {{- end }}
  {{- if $service.tlsSecret }}
  - name: rpc-tls
    mountPath: /etc/parley/rpc-tls
    readOnly: true
  {{- end }}
  {{- if hasKey $service.variables "NODE_EXTRA_CA_CERTS" }}
  - name: ca
    mountPath: /etc/parley/ca
    readOnly: true
  {{- end }}
{{- end -}}

{{/* A probe of a gRPC service: (service, name of what is probed). Kubernetes' own cannot use TLS. */}}
{{- define "parley.probe" -}}
{{- $service := index . 0 -}}
{{- $probed := index . 1 -}}
{{- if $service.tlsSecret -}}
exec: { command: [node, packages/rpc/src/check-health.mjs, '{{ $service.port }}'{{ with $probed }}, {{ . }}{{ end }}] }
timeoutSeconds: 5
{{- else -}}
grpc: { port: {{ $service.port }}{{ with $probed }}, service: {{ . }}{{ end }} }
timeoutSeconds: 3
{{- end -}}
{{- end -}}
