// Passkeys on the account's page: each button asks the server for options, the browser for an answer, and sends it.
import { SITE, offerActions } from "./dom.js";

/** @typedef {{ options?: any, error?: string }} Answer */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const error = document.getElementById("passkey-error");

/**
 * @param {string} call
 * @param {Record<string, unknown>} [sent]
 * @returns {Promise<any>}
 */
async function post(call, sent = {}) {
  const response = await fetch(`${SITE}/account/passkey/${call}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(sent),
  });
  const body = /** @type {Answer} */ (await response.json());
  if (!response.ok) throw new Error(body.error);
  return body;
}

/** @param {ArrayBuffer} buffer */
function toText(buffer) {
  const bytes = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} text */
function toBytes(text) {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(bytes, (c) => c.charCodeAt(0));
}

/** @param {any[]} [listed] */
function toCredentials(listed = []) {
  return listed.map(({ type, id }) => ({ type, id: toBytes(id) }));
}

/**
 * Make a passkey and add it to the account.
 * @param {any} options
 */
async function create(options) {
  const credential = /** @type {any} */ (
    await navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        user: { ...options.user, id: toBytes(options.user.id) },
        excludeCredentials: toCredentials(options.excludeCredentials),
      },
    })
  );
  await post("add", {
    answer: {
      id: credential.id,
      rawId: toText(credential.rawId),
      type: credential.type,
      response: {
        clientDataJSON: toText(credential.response.clientDataJSON),
        attestationObject: toText(credential.response.attestationObject),
      },
    },
  });
}

/**
 * Authenticate by a passkey: the call of the server takes the browser's answer.
 * @param {string} call
 * @returns {Promise<Answer>}
 */
async function answerChallenge(call) {
  const options = await post("authentication-options");
  const credential = /** @type {any} */ (
    await navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        allowCredentials: toCredentials(options.allowCredentials),
      },
    })
  );
  const { response } = credential;
  return post(call, {
    answer: {
      id: credential.id,
      rawId: toText(credential.rawId),
      type: credential.type,
      response: {
        clientDataJSON: toText(response.clientDataJSON),
        authenticatorData: toText(response.authenticatorData),
        signature: toText(response.signature),
        userHandle: response.userHandle ? toText(response.userHandle) : null,
      },
    },
  });
}

async function signIn() {
  await answerChallenge("sign-in");
  location.assign(`${SITE}/account`);
}

/** Show that it is still oneself, and send the form that wanted it. */
async function authenticate() {
  await answerChallenge("authenticate");
  const form = /** @type {HTMLFormElement} */ (document.getElementById("authenticate"));
  for (const input of form.querySelectorAll("input")) {
    if (input.name === "credential") input.disabled = true;
  }
  form.submit();
}

async function signUp() {
  const name = /** @type {HTMLInputElement} */ (document.getElementById("new-name"));
  if (!name.reportValidity()) return;
  const begun = await post("sign-up", { name: name.value });
  const next = document.createElement("form");
  try {
    await create(begun.options);
    next.method = "post"; // makes recovery codes and shows them, as for a password
    next.action = `${SITE}/account/codes`;
  } catch {
    next.action = `${SITE}/account`; // the account is there all the same, and can get a password
  }
  document.body.append(next);
  next.submit();
}

async function add() {
  const first = document.getElementById("passkey-add")?.dataset.first;
  if (first) return location.assign(SITE + first);
  await create(await post("options"));
  location.reload();
}

const buttons = {
  "passkey-sign-in": signIn,
  "passkey-sign-up": signUp,
  "passkey-add": add,
  "passkey-authenticate": authenticate,
};
if (window.PublicKeyCredential) offerActions(buttons, error, main.dataset.failed);
