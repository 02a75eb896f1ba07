/** A command prefix that disables user namespaces, so that bubblewrap cannot work. */
export const withoutNamespaces: readonly string[] = [
  ...["unshare", "--user", "--map-root-user", "sh", "-c"],
  'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
];
