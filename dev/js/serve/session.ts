import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { SettlekitError } from "settlekit";
import type { SandboxFiles, SandboxFilesError } from "settlekit/sandbox";
import { Sandbox } from "settlekit/sandbox/slim";

import { Failure } from "../commands/failure.js";
import { Assets } from "./assets.js";
import { Clock, seedsOf } from "./clock.js";
import { type Credentials, DataFolder, failure } from "./data-folder.js";
import { type MadeDemo, makeDemo } from "./demo.js";
import { Deliveries, type Delivery } from "./deliveries.js";
import { DueWork } from "./due-work.js";
import { FolderFiles, type Watcher } from "./folder-files.js";
import { LocalServer } from "./http.js";
import { Merchant } from "./merchant.js";
import type { ServeOptions } from "./options.js";
import { loadSandbox } from "./sandbox-module.js";
import { LocalService, ServiceFailure } from "./service.js";

/** What a session tells its terminal. */
export interface Listener {
  /** Something takes a while. */
  progress(line: string): void;
  delivered(delivery: Delivery): void;
  /** Something failed; the session goes on. */
  failed(line: string): void;
  /** What had failed works again. */
  recovered(line: string): void;
}

/** A running local service. */
export interface Session {
  credentials: Credentials;
  merchant: Merchant;
  service: LocalService;
  /** Where webhooks go; nothing if the service keeps them. */
  webhookUrl: string | undefined;
  /** Resolves if the service breaks off, which it does not do by itself: what was answered is stored. */
  crashed: Promise<void>;
  /** Ends it: what was asked is answered, files are closed. */
  stop(): Promise<void>;
}

/** Files of dashboard, payer's page and API reference, copied by the build. */
const ASSETS = fileURLToPath(new URL("../dashboard", import.meta.url));
const DEMO_NOTICE = "A year of demo data is being made.";
/** Percent of the demo between two lines of progress. */
const PROGRESS_STEP = 25;
/** How long sent webhooks have to be answered when the session ends. */
const FINISH_MS = 2_000;
/** When the member is created, unless somebody signs in before. */
const SIGN_IN_MS = 1_500;
const EMAIL = "dev@settlekit.test";
/** Bytes of a generated password. */
const PASSWORD_BYTES = 9;

/** What a start may be given. */
export interface StartSettings {
  /** Ends a start that takes long. */
  signal?: AbortSignal;
  /** The files of the database. */
  filesOf?: (folder: string, watcher: Watcher) => SandboxFiles;
}

/** Starts a local service. Throws a `Failure` with a sentence for the user, and leaves nothing running then. */
export async function startSession(options: ServeOptions, listener: Listener, settings: StartSettings = {}): Promise<Session> {
  const { signal, filesOf = (path, watcher) => new FolderFiles(path, watcher) } = settings;
  const folder = DataFolder.open(options.data);
  const undo: (() => unknown)[] = [() => folder.release()];
  try {
    // A used port must not cost the data.
    const server = await LocalServer.listen(options.port);
    undo.push(() => server.close());
    if (options.fresh || !folder.hasData) folder.clear();
    const [hadData, stored] = [folder.hasData, folder.credentials];
    if (options.demo && hadData && stored?.demo !== true) {
      throw new Failure(`${folder.path} has data already: --fresh --demo deletes it and starts over with the demo.`);
    }
    const clock = new Clock(folder, options.now);
    await loadSandbox();
    const demo = options.demo && !hadData ? await fillWithDemo(folder, server, clock, options, listener, signal) : undefined;
    const sandbox = await openSandbox(folder, server.url, filesOf(folder.path, watcher(folder.path, listener)));
    undo.push(() => sandbox.close());
    const random = seedsOf(options.seed, clock.starts);
    const service = new LocalService(sandbox, () => clock.now(), random);
    const known = demo ?? stored;
    const credentials = { ...(known ?? (await createMerchant(service, server.url, !hadData, random))), url: server.url };
    const merchant = new Merchant(service, credentials);
    credentials.webhook_public_key = await merchant.webhookKey().catch((error: unknown) => {
      throw refusedKey(folder.path, error);
    });
    folder.credentials = credentials;
    const webhookUrl = await merchant.webhookUrl(options.forwardTo);

    const { fail, crashed } = failures(listener);
    service.on("crashed", fail);
    const deliveries = new Deliveries(service, options.forwardTo, (delivery) => listener.delivered(delivery), fail);
    const dueWork = new DueWork(service, (outbound) => deliveries.send(outbound), fail);
    const save = (): void => {
      try {
        clock.saveSometimes();
      } catch (error) {
        fail(error);
      }
    };
    service.on("changed", save);
    const prepareSignIn = (): void => {
      try {
        createMember(service, folder, credentials);
      } catch (error) {
        fail(error);
      }
    };
    server.serve({ service, assets: new Assets(ASSETS), prepareSignIn, fail });
    dueWork.wake();
    // After the first requests, which a hash of a password would hold up.
    const signIn = setTimeout(prepareSignIn, SIGN_IN_MS);
    return {
      credentials,
      merchant,
      service,
      crashed,
      webhookUrl: options.forwardTo ?? webhookUrl,
      async stop() {
        clearTimeout(signIn);
        dueWork.stop();
        await server.close();
        await deliveries.finish(FINISH_MS);
        service.off("changed", save);
        for (const step of [() => sandbox.close(), () => clock.save()]) {
          try {
            step();
          } catch {
            // A full disk, or a service that broke off: what was answered is stored.
          }
        }
        folder.release();
      },
    };
  } catch (error) {
    for (const step of undo.reverse()) await Promise.resolve().then(step).catch(() => {});
    throw error;
  }
}

async function openSandbox(folder: DataFolder, publicUrl: string, files: SandboxFiles): Promise<Sandbox> {
  try {
    return await Sandbox.start({ publicUrl, files });
  } catch (error) {
    throw sentence(folder.path, error);
  }
}

/** The sentence for files that cannot be used. */
function sentence(path: string, error: unknown): Error {
  // The class of another entry of the package is another class.
  const { reason, message } = error as SandboxFilesError;
  const way = "--fresh deletes the data and starts over.";
  switch (reason) {
    case "damaged":
      return new Failure(`The data in ${path} is damaged (${message}). Put a copy in its place; ${way}`);
    case "newer":
      return new Failure(`The data in ${path} was written by a later version (${message}). Start it with npx settlekit-dev@latest; ${way}`);
    case "full":
      return failure(path, { code: "ENOSPC" });
    case "read_only":
      return failure(path, { code: "EACCES" });
    case "locked":
      return new Failure(`The data in ${path} is in use by another program.`);
    case "wrong_mode":
      return new Failure(`The data in ${path} is of a live service: choose another folder with --data.`);
    case "unreachable":
    case "failed":
      return new Failure(`The data in ${path} cannot be opened: ${message}`);
    default:
      return error as Error;
  }
}

/** The sentence for a key that the data does not take. */
function refusedKey(path: string, error: unknown): unknown {
  if ((error as Partial<SettlekitError>).kind !== "authentication") return error;
  return new Failure(
    `The API key in ${join(path, "credentials.json")} is revoked, or the data is other data. Without the file, a start adds a new organisation; --fresh deletes the data and starts over.`,
  );
}

/** Tells of a full disk and other failures of the files once each. */
function watcher(path: string, listener: Listener): Watcher {
  let known: string | undefined;
  return (error) => {
    if (error === undefined) {
      known = undefined;
      return listener.recovered(`Writing to ${path} works again.`);
    }
    const code = error.code ?? error.message;
    if (code === known) return;
    known = code;
    const isFull = code === "ENOSPC" || code === "EDQUOT";
    listener.failed(isFull ? `The disk with ${path} is full: changes are refused with status 503 until there is room.` : `${path} cannot be used: ${error.message}`);
  };
}

/** Tells of a failure, and not again until another one. After a trap of the WebAssembly the service cannot go on. */
function failures(listener: Listener): { fail(error: unknown): void; crashed: Promise<void> } {
  let latest = "";
  let crash = (): void => {};
  const crashed = new Promise<void>((resolve) => (crash = resolve));
  const fail = (error: unknown): void => {
    if (error instanceof WebAssembly.RuntimeError) crash();
    const text = error instanceof Error ? error.message : String(error);
    if (text === latest) return;
    latest = text;
    listener.failed(`The service failed: ${text}`);
  };
  return { fail, crashed };
}

/** Makes the demo and stores it; the credentials first, as without a database they count for nothing. */
async function fillWithDemo(folder: DataFolder, server: LocalServer, clock: Clock, { seed }: ServeOptions, listener: Listener, signal: AbortSignal | undefined): Promise<Credentials> {
  listener.progress(DEMO_NOTICE);
  server.announce(DEMO_NOTICE);
  let shown = 0;
  const progress = (percent: number): void => {
    server.announce(`${DEMO_NOTICE} ${percent} %`);
    if (percent < shown + PROGRESS_STEP || percent >= 100) return;
    shown += PROGRESS_STEP;
    listener.progress(`${shown} %`);
  };
  const task = { now: clock.now(), seed: seed ?? randomBytes(6).readUIntBE(0, 6), publicUrl: server.url };
  const { demo, image }: MadeDemo = await makeDemo(task, progress, signal);
  const { orgId, apiKey, signingSecret } = demo.merchant;
  const credentials = {
    url: server.url,
    org_id: orgId,
    api_key: apiKey,
    signing_secret: signingSecret,
    email: demo.email,
    password: demo.password,
    webhook_public_key: "",
    demo: true,
    has_member: true,
  };
  folder.credentials = credentials;
  folder.import(image);
  return credentials;
}

/** Creates an organisation with an account and a payment link, and chooses the sign-in of its member. */
async function createMerchant(service: LocalService, url: string, isFirst: boolean, random: () => string): Promise<Credentials> {
  const organisation = service.createOrganisation({ name: "Development", otc: true, inbox: true });
  // Of a member whose credentials are lost, the address is taken.
  const email = isFirst ? EMAIL : `dev-${randomBytes(3).toString("hex")}@settlekit.test`;
  const password = Buffer.from(random(), "hex").subarray(0, PASSWORD_BYTES).toString("base64url");
  const paylink_url = await new Merchant(service, { url, ...organisation }).openShop();
  return { url, ...organisation, email, password, webhook_public_key: "", paylink_url, demo: false, has_member: false };
}

/** Creates the member of the credentials, unless it exists. */
function createMember(service: LocalService, folder: DataFolder, credentials: Credentials): void {
  if (credentials.has_member) return;
  const { org_id, email, password } = credentials;
  try {
    service.createPerson({ organisation: org_id, name: "Developer", email, password });
  } catch (error) {
    // A kill came between the member and the note that it exists.
    if (!(error instanceof ServiceFailure) || !error.message.includes("constraint")) throw error;
  }
  credentials.has_member = true;
  folder.credentials = credentials;
}
