/** The package declares its types for a module of another name. */
declare module "@mixmark-io/domino" {
  const domino: { createDocument(html?: string): Document };
  export default domino;
}
