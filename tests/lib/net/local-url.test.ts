import { expect, it } from "vitest";
import { isLocalUrl } from "#lib/net/local-url.ts";

it.each([
  "http://localhost:3000",
  "http://media.localhost",
  "http://127.0.0.1:3000",
  "http://127.1",
  "http://[::1]:3000",
])("%s leads to this machine only", (url) => expect(isLocalUrl(url)).toBe(true));

it.each([
  "https://media.example.com",
  "http://192.168.1.5:3000",
  "http://0.0.0.0:3000",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "http://media",
])("%s leads elsewhere", (url) => expect(isLocalUrl(url)).toBe(false));
