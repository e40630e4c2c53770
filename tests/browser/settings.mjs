// URL of the server and credentials, from the environment.

function needed(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: these tests need a running server in sandbox mode`);
  return value;
}

export const url = needed("SETTLEKIT_URL").replace(/\/$/, "");
export const email = needed("SETTLEKIT_EMAIL");
export const password = needed("SETTLEKIT_PASSWORD");
export const apiKey = needed("SETTLEKIT_API_KEY");
export const chromium = process.env.CHROMIUM || "/usr/bin/chromium";
/** LibreOffice's program, if it is installed. */
export const soffice = process.env.SETTLEKIT_SOFFICE;
/** The server's program and database, for operator commands. */
export const program = needed("SETTLEKIT_PROGRAM");
export const database = needed("SETTLEKIT_SERVER_DATABASE");
