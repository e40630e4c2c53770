import { DEFAULT_PROFILE, readProfiles, writeProfiles } from "./config.js";
import { simple } from "./simple.js";

export const logout = simple({
  name: "logout",
  summary: "Forgets what `settlekit login` kept.",
  text: ["The key stays valid: revoke it in the dashboard if nobody needs it."],
  options: [{ name: "profile", value: "NAME", description: "profile to forget; default: default" }],
  async run(options, io) {
    const profile = options.text("profile") ?? DEFAULT_PROFILE;
    const { [profile]: found, ...others } = readProfiles(io.env);
    if (found === undefined) {
      io.out(`There is no profile ${profile}.`);
      return 0;
    }
    writeProfiles(io.env, others);
    io.out(`Forgot the key for ${found.url}. It stays valid until it is revoked.`);
    return 0;
  },
});
