{{- define "mediamill.runnerProbes" -}}
readinessProbe:
  httpGet: { path: /readyz, port: health }
  periodSeconds: 10
  timeoutSeconds: 5
livenessProbe:
  httpGet: { path: /healthz, port: health }
  periodSeconds: 10
  timeoutSeconds: 10
startupProbe:
  httpGet: { path: /healthz, port: health }
  periodSeconds: 2
  failureThreshold: 90
{{- end -}}
