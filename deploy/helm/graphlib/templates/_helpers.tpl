{{/* The name of the application. */}}
{{- define "graphlib.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* The name of all resources. It leaves room for endings such as -migrate, because a name has at most 63 characters. */}}
{{- define "graphlib.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains (include "graphlib.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "graphlib.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The labels that tell the pods of this release. They must never change. */}}
{{- define "graphlib.selectorLabels" -}}
app.kubernetes.io/name: {{ include "graphlib.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* The labels of all resources. */}}
{{- define "graphlib.labels" -}}
{{ include "graphlib.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "graphlib.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "graphlib.secretName" -}}
{{- .Values.existingSecret | default (include "graphlib.fullname" .) -}}
{{- end -}}

{{- define "graphlib.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "graphlib.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{/* The content of the Secret. It stops the installation with a sentence where something is missing. */}}
{{- define "graphlib.secretData" -}}
{{- $secrets := .Values.secrets -}}
{{- $other := "or set existingSecret to the name of a Secret that has DATABASE_URL, GRAPHLIB_SECRET and GRAPHLIB_API_KEY." -}}
{{- if not $secrets.databaseUrl -}}
{{- fail (printf "Graphlib needs PostgreSQL: set secrets.databaseUrl to postgres://user:password@host:5432/name, %s" $other) -}}
{{- end -}}
{{- if not $secrets.secret -}}
{{- fail (printf "Graphlib needs a secret that encrypts what is stored: set secrets.secret to the output of `openssl rand -base64 32`, %s" $other) -}}
{{- end -}}
{{- if lt (len $secrets.secret) 16 -}}
{{- fail "secrets.secret is too short: it needs 16 characters or more. `openssl rand -base64 32` makes one." -}}
{{- end -}}
{{- if not $secrets.apiKey -}}
{{- fail (printf "Graphlib needs a key of its API: set secrets.apiKey to the output of `openssl rand -base64 32`, %s" $other) -}}
{{- end -}}
{{- if lt (len $secrets.apiKey) 32 -}}
{{- fail "secrets.apiKey is too short: it needs 32 characters or more. `openssl rand -base64 32` makes one." -}}
{{- end -}}
{{- if and .Values.settings.databasePooled (not $secrets.databaseDirectUrl) -}}
{{- fail "settings.databasePooled needs secrets.databaseDirectUrl, the address of PostgreSQL itself, for migrations and locks." -}}
{{- end -}}
{{- if and (hasPrefix "s3://" .Values.settings.blobs) (not (and $secrets.awsAccessKeyId $secrets.awsSecretAccessKey)) -}}
{{- fail "settings.blobs is a bucket: set secrets.awsAccessKeyId and secrets.awsSecretAccessKey to its key." -}}
{{- end -}}
DATABASE_URL: {{ $secrets.databaseUrl | quote }}
GRAPHLIB_SECRET: {{ $secrets.secret | quote }}
GRAPHLIB_API_KEY: {{ $secrets.apiKey | quote }}
{{- with $secrets.databaseDirectUrl }}
DATABASE_DIRECT_URL: {{ . | quote }}
{{- end }}
{{- with $secrets.redisUrl }}
REDIS_URL: {{ . | quote }}
{{- end }}
{{- with $secrets.awsAccessKeyId }}
AWS_ACCESS_KEY_ID: {{ . | quote }}
{{- end }}
{{- with $secrets.awsSecretAccessKey }}
AWS_SECRET_ACCESS_KEY: {{ . | quote }}
{{- end }}
{{- range $name, $value := $secrets.extra }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* The environment variables that are not secret. It takes `root`, and `role` for GRAPHLIB_ROLES. */}}
{{- define "graphlib.env" -}}
{{- $settings := .root.Values.settings -}}
- name: GRAPHLIB_ROLES
  value: {{ .role | quote }}
- name: HOST
  value: "0.0.0.0"
- name: PORT
  value: "2024"
- name: GRAPHLIB_HOME
  value: /data
- name: GRAPHLIB_BLOBS
  value: {{ $settings.blobs | quote }}
- name: GRAPHLIB_GRACE_SECONDS
  value: {{ $settings.graceSeconds | int | quote }}
- name: GRAPHLIB_DRAIN_SECONDS
  value: {{ $settings.drainSeconds | int | quote }}
- name: GRAPHLIB_RUN_SLOTS
  value: {{ $settings.runSlots | int | quote }}
- name: GRAPHLIB_LEASE_SECONDS
  value: {{ $settings.leaseSeconds | int | quote }}
- name: DATABASE_POOL
  value: {{ $settings.databasePool | int | quote }}
- name: DATABASE_SCHEMA
  value: {{ $settings.databaseSchema | quote }}
{{- if $settings.databasePooled }}
- name: DATABASE_POOLED
  value: "1"
{{- end }}
{{- if or $settings.trustProxy .root.Values.ingress.enabled }}
- name: TRUST_PROXY
  value: "1"
{{- end }}
{{- with $settings.app }}
- name: GRAPHLIB_APP
  value: {{ . | quote }}
{{- end }}
{{- with $settings.publicUrl }}
- name: PUBLIC_URL
  value: {{ . | quote }}
{{- end }}
{{- with $settings.awsRegion }}
- name: AWS_REGION
  value: {{ . | quote }}
{{- end }}
{{- with $settings.awsEndpointUrl }}
- name: AWS_ENDPOINT_URL
  value: {{ . | quote }}
{{- end }}
# npm and npx write to their cache, which would be on the file system that is read-only.
- name: npm_config_cache
  value: /tmp/npm
{{- with .root.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "graphlib.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  {{- toYaml .Values.podSecurity.seccompProfile | nindent 2 }}
{{- end -}}

{{- define "graphlib.containerSecurityContext" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
seccompProfile:
  {{- toYaml .Values.podSecurity.seccompProfile | nindent 2 }}
{{- with .Values.podSecurity.appArmorProfile }}
appArmorProfile:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.podSecurity.procMount }}
{{- if and (eq . "Unmasked") (not $.Values.podSecurity.userNamespace) -}}
{{- fail "podSecurity.procMount Unmasked needs podSecurity.userNamespace: Kubernetes refuses such pods otherwise." -}}
{{- end }}
procMount: {{ . }}
{{- end }}
{{- end -}}

{{- define "graphlib.volumeMounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "graphlib.volumes" -}}
- name: data
  {{- if .Values.dataSizeLimit }}
  emptyDir:
    sizeLimit: {{ .Values.dataSizeLimit }}
  {{- else }}
  emptyDir: {}
  {{- end }}
- name: tmp
  {{- if .Values.tmpSizeLimit }}
  emptyDir:
    sizeLimit: {{ .Values.tmpSizeLimit }}
  {{- else }}
  emptyDir: {}
  {{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The Deployment of one role. It takes `root`, `role`, and `scaled`, which tells that a scaler sets the number of pods. */}}
{{- define "graphlib.deployment" -}}
{{- $root := .root -}}
{{- $values := index .root.Values .role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "graphlib.fullname" $root }}-{{ .role }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "graphlib.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not .scaled }}
  replicas: {{ $values.replicas | int }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
      {{- include "graphlib.selectorLabels" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  template:
    metadata:
      labels:
        {{- include "graphlib.selectorLabels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
        {{- with $root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- if or (not $root.Values.existingSecret) $root.Values.podAnnotations }}
      annotations:
        {{- if not $root.Values.existingSecret }}
        # The pods start again when this changes.
        checksum/secret: {{ include "graphlib.secretData" $root | sha256sum }}
        {{- end }}
        {{- with $root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "graphlib.serviceAccountName" $root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- if $root.Values.podSecurity.userNamespace }}
      hostUsers: false
      {{- end }}
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      # The server has drainSeconds, then graceSeconds, and 15 seconds to close.
      terminationGracePeriodSeconds: {{ add (int $root.Values.settings.drainSeconds) (int $root.Values.settings.graceSeconds) 15 }}
      securityContext:
        {{- include "graphlib.podSecurityContext" $root | nindent 8 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "graphlib.selectorLabels" $root | nindent 14 }}
              app.kubernetes.io/component: {{ .role }}
      containers:
        - name: graphlib
          image: {{ include "graphlib.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          securityContext:
            {{- include "graphlib.containerSecurityContext" $root | nindent 12 }}
          envFrom:
            - secretRef:
                name: {{ include "graphlib.secretName" $root }}
          env:
            {{- include "graphlib.env" (dict "root" $root "role" .role) | nindent 12 }}
            {{- with $values.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          ports:
            - name: http
              containerPort: 2024
              protocol: TCP
          # A server that starts may wait for the database and bring its builds: it has five minutes.
          startupProbe:
            httpGet:
              path: /livez
              port: http
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 150
          livenessProbe:
            httpGet:
              path: /livez
              port: http
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet:
              path: /readyz
              port: http
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 2
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          volumeMounts:
            {{- include "graphlib.volumeMounts" $root | nindent 12 }}
      volumes:
        {{- include "graphlib.volumes" $root | nindent 8 }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}
