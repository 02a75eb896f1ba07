/**
 * Receivers that verify a webhook. They verify the raw body, because JSON that was parsed and serialized
 * again has another signature.
 */
export const verifyWebhook = {
  typescript: `import { env } from "node:process";
import { unwrapWebhook } from "@mediamill/sdk"; // npm install @mediamill/sdk

const secret = env.MEDIAMILL_WEBHOOK_SECRET ?? "";

export async function POST(request: Request) {
  const event = await unwrapWebhook(request, secret); // throws if the signature is wrong or too old
  console.log(event.type, event.data.id);
  return new Response(null, { status: 204 });
}
`,
  python: `import os
from flask import Flask, request
from mediamill import Webhooks  # pip install flask mediamill

app = Flask(__name__)
secret = os.environ["MEDIAMILL_WEBHOOK_SECRET"]

@app.post("/hooks")
def hooks():
    # Raises if the signature is wrong or too old.
    event = Webhooks.unwrap(request.get_data(), request.headers, secret)
    print(event["type"], event["data"]["id"])
    return "", 204
`,
  go: `package main

import (
	"io"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("MEDIAMILL_WEBHOOK_SECRET"))
	if err != nil {
		panic(err)
	}
	http.HandleFunc("POST /hooks", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || webhook.Verify(body, r.Header) != nil {
			http.Error(w, "invalid signature", http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	panic(http.ListenAndServe(":8080", nil))
}
`,
} as const;
