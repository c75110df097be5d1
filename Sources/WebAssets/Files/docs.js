// SPDX-License-Identifier: Apache-2.0
// The page /docs: a reference made from /openapi.json. It loads nothing else.

const METHODS = ["get", "put", "post", "patch", "delete"];

/**
 * @typedef {Record<string, any>} Part A part of the document.
 */

/**
 * Creates an element. Texts become text nodes, so no text of the document is markup.
 *
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 */
function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/**
 * Text with `code`, **bold** and *italics*.
 *
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).map((part) => {
    if (part.startsWith("`") && part.length > 2) return element("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return element("strong", {}, part.slice(2, -2));
    if (part.startsWith("*") && part.length > 2) return element("em", {}, part.slice(1, -1));
    return part;
  });
}

/**
 * The blocks of a description: paragraphs, lists, headings and code.
 *
 * @param {string | undefined} text
 * @returns {Node[]}
 */
function blocks(text) {
  /** @type {Node[]} */
  const result = [];
  /** @type {string[]} */
  let lines = [];
  const end = () => {
    if (lines.length > 0) result.push(block(lines));
    lines = [];
  };
  let isCode = false;
  for (const line of (text ?? "").trimEnd().split("\n")) {
    if (line.startsWith("```")) {
      if (isCode) result.push(element("pre", {}, element("code", {}, lines.join("\n"))));
      else end();
      if (isCode) lines = [];
      isCode = !isCode;
    } else if (isCode || line.trim() !== "") {
      if (!isCode && line.startsWith("- ") && lines.length > 0 && !lines[0].startsWith("- ")) end();
      lines.push(line);
    } else {
      end();
    }
  }
  end();
  return result;
}

/**
 * @param {string[]} lines
 * @returns {Node}
 */
function block(lines) {
  if (lines[0].startsWith("#")) return element("h2", {}, lines.join(" ").replace(/^#+ /, ""));
  if (!lines[0].startsWith("- ")) return element("p", {}, ...inline(lines.join(" ")));
  /** @type {string[]} */
  const items = [];
  for (const line of lines) {
    if (line.startsWith("- ")) items.push(line.slice(2));
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return element("ul", {}, ...items.map((item) => element("li", {}, ...inline(item))));
}

/**
 * The document with its references.
 */
class Reference {
  /** @param {Part} root */
  constructor(root) {
    this.root = root;
  }

  /**
   * Follows a reference.
   *
   * @param {Part} node
   * @returns {Part}
   */
  resolve(node) {
    if (typeof node.$ref !== "string") return node;
    let found = this.root;
    for (const part of node.$ref.slice(2).split("/")) found = found[part.replace("~1", "/").replace("~0", "~")];
    return found;
  }

  /**
   * The type of a value in a few words, with a link to a named one.
   *
   * @param {Part} schema
   * @returns {(Node | string)[]}
   */
  type(schema) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? "")?.[1];
    if (name) return [element("a", { href: `#schema-${name}` }, name)];
    const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
    if (choices && !schema.type) return choices.flatMap(
      (/** @type {Part} */ choice, /** @type {number} */ index) => [...(index > 0 ? [" or "] : []), ...this.type(choice)],
    );
    if (schema.enum) return [schema.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(", ")];
    if ("const" in schema) return [JSON.stringify(schema.const)];
    if (schema.type === "array") return ["array of ", ...this.type(schema.items ?? {})];
    const limits = [
      schema.minimum === undefined ? "" : `from ${schema.minimum}`,
      schema.maximum === undefined ? "" : `to ${schema.maximum}`,
      schema.maxLength === undefined ? "" : `at most ${schema.maxLength} characters`,
    ].filter((limit) => limit);
    return [[[schema.type ?? "any"].flat().join(" or "), ...limits].join(" ")];
  }

  /**
   * The members of an object, one a row.
   *
   * @param {Part} schema
   * @returns {Node[]}
   */
  members(schema) {
    const parts = [schema, ...(schema.allOf ?? [])].map((part) => this.resolve(part));
    const rows = parts.flatMap((part) =>
      Object.entries(part.properties ?? {}).map(([name, member]) =>
        this.row(name, member, (part.required ?? schema.required ?? []).includes(name)),
      ),
    );
    return rows.length > 0 ? [element("table", {}, element("tbody", {}, ...rows))] : [];
  }

  /**
   * @param {string} name
   * @param {Part} schema
   * @param {boolean} isRequired
   */
  row(name, schema, isRequired) {
    const text = schema.description ?? (schema.$ref ? "" : this.resolve(schema).description);
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, element("code", {}, name), isRequired ? "" : " (optional)"),
      element("td", {}, ...this.type(schema)),
      element("td", {}, ...blocks(text)),
    );
  }

  /**
   * @param {string} path
   * @param {string} method
   * @param {Part} operation
   * @param {Part[]} shared The parameters of the path.
   */
  operation(path, method, operation, shared) {
    const parameters = [...shared, ...(operation.parameters ?? [])].map((parameter) => this.resolve(parameter));
    const title = element("h3", {}, element("span", { class: "method" }, method.toUpperCase()), " ", element("code", {}, path));
    const article = element(
      "details",
      { id: operation.operationId },
      element("summary", {}, title, " ", ...inline(operation.summary ?? "")),
      ...blocks(operation.description),
    );
    if (parameters.length > 0) {
      const rows = parameters.map((parameter) =>
        this.row(`${parameter.name} (${parameter.in})`, { ...parameter.schema, description: parameter.description }, parameter.required),
      );
      article.append(element("h4", {}, "Parameters"), element("table", {}, element("tbody", {}, ...rows)));
    }
    if (operation.requestBody) article.append(element("h4", {}, "Body"), ...this.body(this.resolve(operation.requestBody)));
    const rows = Object.entries(operation.responses).map(([status, response]) => this.response(status, this.resolve(response)));
    article.append(element("h4", {}, "Responses"), element("table", {}, element("tbody", {}, ...rows)));
    return article;
  }

  /** @param {Part} body */
  body(body) {
    const media = body.content["application/json"];
    const examples = Object.values(media.examples ?? {}).map((example) =>
      element("pre", {}, element("code", {}, JSON.stringify(example.value))),
    );
    return [...this.members(this.resolve(media.schema)), ...examples];
  }

  /**
   * @param {string} status
   * @param {Part} response
   */
  response(status, response) {
    const types = Object.entries(response.content ?? {}).flatMap(([media, content]) => [
      element("div", {}, media, ": ", ...this.type(content.schema ?? {})),
    ]);
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, status),
      element("td", {}, ...types),
      element("td", {}, ...blocks(response.description)),
    );
  }

  /**
   * @param {string} name
   * @param {Part} schema
   */
  schema(name, schema) {
    const example = schema.examples?.[0];
    return element(
      "details",
      { id: `schema-${name}` },
      element("summary", {}, element("h3", {}, element("code", {}, name))),
      ...blocks(schema.description),
      ...(schema.properties || schema.allOf ? this.members(schema) : [element("p", {}, ...this.type(schema))]),
      ...(example === undefined ? [] : [element("pre", {}, element("code", {}, JSON.stringify(example, null, 2)))]),
    );
  }
}

/** Opens what the URL names. Ids have plain letters only. */
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}

/**
 * Shows the document.
 *
 * @param {Part} root
 */
function show(root) {
  const reference = new Reference(root);
  const main = element("div");
  const contents = /** @type {HTMLElement} */ (document.getElementById("contents"));
  main.append(...blocks(root.info.description));
  for (const tag of root.tags) {
    const links = element("ul");
    main.append(element("h2", { id: `tag-${tag.name.replaceAll(" ", "-")}` }, tag.name), ...blocks(tag.description));
    for (const [path, item] of Object.entries(root.paths)) {
      for (const method of METHODS.filter((name) => item[name]?.tags.includes(tag.name))) {
        main.append(reference.operation(path, method, item[method], item.parameters ?? []));
        const link = element("a", { href: `#${item[method].operationId}` }, `${method.toUpperCase()} ${path}`);
        links.append(element("li", {}, link));
      }
    }
    contents.append(element("strong", {}, tag.name), links);
  }
  main.append(element("h2", { id: "schemas" }, "Schemas"));
  for (const [name, schema] of Object.entries(root.components.schemas)) main.append(reference.schema(name, schema));
  contents.append(element("a", { href: "#schemas" }, "Schemas"));
  document.querySelector("main")?.replaceChildren(main);
  reveal();
  addEventListener("hashchange", reveal);
}

try {
  const response = await fetch("openapi.json");
  if (!response.ok) throw new Error(`The daemon answered ${response.status}.`);
  show(await response.json());
} catch (error) {
  const note = /** @type {HTMLElement} */ (document.getElementById("note"));
  note.textContent = `The reference could not be loaded. ${error instanceof Error ? error.message : ""}`;
}

export {};
