// Where the server is and who signs in: given by whoever starts the server for these tests.

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
/** The program of that server and its database, for what only whoever runs it can do. */
export const program = needed("SETTLEKIT_PROGRAM");
export const database = needed("SETTLEKIT_SERVER_DATABASE");
