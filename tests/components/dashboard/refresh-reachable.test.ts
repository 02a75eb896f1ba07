import { afterEach, expect, it, vi } from "vitest";
import { refreshReachable } from "#components/dashboard/refresh-reachable.ts";

afterEach(() => vi.unstubAllGlobals());

it.each([
  [200, true],
  [403, true],
  [404, true],
  [502, false],
  [undefined, false],
])(
  "a page whose service responds to the check with %s refreshes: %s",
  async (status, refreshes) => {
    const fetched = async () => {
      if (status === undefined) throw new TypeError("no connection");
      return new Response(null, { status });
    };
    vi.stubGlobal("fetch", fetched);
    const refresh = vi.fn();
    await refreshReachable({ refresh });
    expect(refresh).toHaveBeenCalledTimes(refreshes ? 1 : 0);
  },
);
