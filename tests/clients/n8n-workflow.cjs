// What n8n gives to its nodes at run time, as far as the nodes use it.

class NodeError extends Error {
  constructor(node, error, options = {}) {
    super(options.message ?? (typeof error === "string" ? error : error.message), { cause: error });
    this.name = this.constructor.name;
    this.node = node;
    this.description = options.description;
    this.context = { itemIndex: options.itemIndex };
  }
}

class NodeOperationError extends NodeError {}

class NodeApiError extends NodeError {
  constructor(node, response, options = {}) {
    super(node, response, options);
    this.httpCode = options.httpCode ?? null;
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

module.exports = { NodeConnectionTypes: { Main: "main" }, NodeOperationError, NodeApiError, sleep };
