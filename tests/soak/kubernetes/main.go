// Command kubernetes checks the manifests on its standard input as an API server would: each document is a
// known kind without unknown or repeated fields, and each pod meets the pod security standard "restricted".
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

func main() {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		fail(err)
	}
	options := json.SerializerOptions{Yaml: true, Strict: true}
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, options)
	reader := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	documents, pods, failed := 0, 0, false
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fail(err)
		}
		if isEmpty(string(document)) {
			continue
		}
		documents++
		object, kind, err := decoder.Decode(document, nil, nil)
		if err != nil {
			fmt.Printf("document %d: %v\n", documents, err)
			failed = true
			continue
		}
		meta, spec := podOf(object)
		if spec == nil {
			continue
		}
		pods++
		level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
		for _, result := range evaluator.EvaluatePod(level, meta, spec) {
			if !result.Allowed {
				fmt.Printf("%s: %s: %s\n", kind.Kind, result.ForbiddenReason, result.ForbiddenDetail)
				failed = true
			}
		}
	}
	fmt.Printf("%d documents, %d pods\n", documents, pods)
	if failed || documents == 0 {
		os.Exit(1)
	}
}

func isEmpty(document string) bool {
	for line := range strings.SplitSeq(document, "\n") {
		line = strings.TrimSpace(line)
		if line != "" && line != "---" && !strings.HasPrefix(line, "#") {
			return false
		}
	}
	return true
}

func podOf(object runtime.Object) (*metav1.ObjectMeta, *corev1.PodSpec) {
	switch typed := object.(type) {
	case *appsv1.Deployment:
		return &typed.Spec.Template.ObjectMeta, &typed.Spec.Template.Spec
	case *appsv1.StatefulSet:
		return &typed.Spec.Template.ObjectMeta, &typed.Spec.Template.Spec
	case *batchv1.Job:
		return &typed.Spec.Template.ObjectMeta, &typed.Spec.Template.Spec
	}
	return nil, nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
