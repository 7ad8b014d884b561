// Passkeys on the account's page: each button asks the server for options, the browser for an answer, and sends it.
import { SITE, offerActions } from "./dom.js";

/** @typedef {{ options?: any, forgery?: string, error?: string }} Answer */

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const error = document.getElementById("passkey-error");
let forgery = main.dataset.forgery ?? "";

/**
 * @param {string} call
 * @param {Record<string, unknown>} [sent]
 * @returns {Promise<any>}
 */
async function post(call, sent = {}) {
  const response = await fetch(`${SITE}/account/passkey/${call}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...sent, forgery }),
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
        excludeCredentials: (options.excludeCredentials ?? []).map((/** @type {any} */ one) => ({
          type: one.type,
          id: toBytes(one.id),
        })),
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

async function signIn() {
  const options = await post("options");
  const credential = /** @type {any} */ (
    await navigator.credentials.get({ publicKey: { ...options, challenge: toBytes(options.challenge) } })
  );
  const { response } = credential;
  await post("sign-in", {
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
  location.assign(`${SITE}/account`);
}

async function signUp() {
  const name = /** @type {HTMLInputElement} */ (document.getElementById("new-name"));
  if (!name.reportValidity()) return;
  const begun = await post("sign-up", { name: name.value });
  forgery = begun.forgery;
  try {
    await create(begun.options);
  } finally {
    location.assign(`${SITE}/account`); // without a passkey too: the account is there, and can get a password
  }
}

async function add() {
  await create(await post("options"));
  location.reload();
}

const buttons = { "passkey-sign-in": signIn, "passkey-sign-up": signUp, "passkey-add": add };
if (window.PublicKeyCredential) offerActions(buttons, error, main.dataset.failed);
