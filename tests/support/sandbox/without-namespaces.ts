import { join } from "node:path";

/** A command prefix that disables user namespaces, so that bubblewrap cannot work. */
export const withoutNamespaces: readonly string[] = [
  "unshare",
  "--user",
  "--map-root-user",
  "sh",
  "-c",
  'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
];

/** A command prefix with which neither bubblewrap nor Landlock can work. */
export const withoutSandbox: readonly string[] = [
  ...withoutNamespaces,
  "perl",
  join(import.meta.dirname, "without-landlock.pl"),
];

/**
 * A command prefix with what Kubernetes' restricted rules give a container: an ordinary user, no
 * capabilities, no new privileges, no user namespaces. The user owns the files of this one.
 */
export const restrictedPod: readonly string[] = [
  "unshare",
  "--user",
  "--map-user=12345",
  "--map-group=12345",
  "--keep-caps",
  "sh",
  "-c",
  `echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --ambient-caps=-all "$@"`,
  "sh",
];
