/** The health check of the images: whether the process of the container is alive. */
const port = process.env.HEALTH_PORT || process.env.PORT || "3000";
const isAlive = await fetch(`http://127.0.0.1:${port}/healthz`).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isAlive ? 0 : 1);
