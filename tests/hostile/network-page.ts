/** A page that reaches for `base` in every way. */
export const networkPage = (base: string) => `<!doctype html><p>still</p>
  <link rel=stylesheet href="${base}/a.css"><link rel=preload as=fetch href="${base}/b">
  <link rel=preconnect href="${base}/"><link rel=prefetch href="${base}/c">
  <img src="${base}/d.png"><iframe src="${base}/e"></iframe><style>p { background: url(${base}/f.png) }</style>
  <script src="${base}/g.js"></script>
  <script>
    fetch("${base}/h", { method: "POST", body: "x", mode: "no-cors" }).catch(() => {});
    navigator.sendBeacon("${base}/i", "x");
    new WebSocket("${base}/j".replace("http", "ws"));
    new EventSource("${base}/k");
    new Worker(URL.createObjectURL(new Blob(["fetch('${base}/l', { mode: 'no-cors' })"])));
  </script>`;
