{{- define "mediamill.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 45 | trimSuffix "-" -}}
{{- end -}}

{{- define "mediamill.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* Takes a list of the root and the component. */}}
{{- define "mediamill.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* Takes a list of the root and the name of the image. */}}
{{- define "mediamill.image" -}}
{{- $root := index . 0 -}}
{{- $registry := $root.Values.image.registry -}}
{{- printf "%s%s:%s" (ternary "" (printf "%s/" $registry) (empty $registry)) (index . 1) ($root.Values.image.tag | default $root.Chart.AppVersion) -}}
{{- end -}}

{{/* The rules of the pod security standard "restricted". */}}
{{- define "mediamill.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "mediamill.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities: { drop: [ALL] }
  seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "mediamill.databaseEnv" -}}
{{- if .Values.postgresql.enabled }}
- name: POSTGRES_PASSWORD
  valueFrom:
    secretKeyRef: {{ .Values.postgresql.password | toJson }}
- name: DATABASE_URL
  value: postgres://mediamill:$(POSTGRES_PASSWORD)@{{ include "mediamill.name" . }}-postgresql:5432/mediamill
{{- else }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef: {{ .Values.database.url | toJson }}
{{- end }}
{{- end -}}

{{/* The variables of a service. Takes a list of the root and the service's own variables. */}}
{{- define "mediamill.env" -}}
{{- $root := index . 0 -}}
{{- if not (hasKey $root.Values.secretEnv "SECRET") }}
{{- fail "secretEnv.SECRET must name a secret and its key" }}
{{- end }}
env:
  {{- include "mediamill.databaseEnv" $root | nindent 2 }}
  {{- range $name, $value := merge (dict) (index . 1) $root.Values.config }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- range $name, $reference := $root.Values.secretEnv }}
  - name: {{ $name }}
    valueFrom:
      secretKeyRef: {{ $reference | toJson }}
  {{- end }}
{{- end -}}

{{- define "mediamill.storageMount" -}}
{{- if .Values.localStorage.existingClaim }}
- { name: storage, mountPath: /data/storage }
{{- end }}
{{- end -}}

{{- define "mediamill.storageVolume" -}}
{{- if .Values.localStorage.existingClaim }}
- name: storage
  persistentVolumeClaim: { claimName: {{ .Values.localStorage.existingClaim | quote }} }
{{- end }}
{{- end -}}

{{- define "mediamill.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "mediamill.selector" . | nindent 8 }}
{{- end -}}
