const { Settlekit } = require("settlekit");
const { Sandbox } = require("settlekit/sandbox");

(async () => {
  const sandbox = await Sandbox.start();
  const settlekit = new Settlekit(sandbox.settings(sandbox.createOrganisation({ name: "Tea House" })));
  console.log((await settlekit.organisation.get()).name);
})();
