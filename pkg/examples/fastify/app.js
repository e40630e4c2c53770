import fastify from "fastify";
import { SettlekitError, verify } from "settlekit/webhooks";

export const app = fastify();

// In its own scope, so that other routes keep their parsed bodies.
app.register(async (scope) => {
  scope.removeContentTypeParser("application/json");
  scope.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  scope.post("/hook", async (request, reply) => {
    let event;
    try {
      event = verify(request.body, request.headers, process.env.SETTLEKIT_WEBHOOK_KEY);
    } catch (error) {
      if (!(error instanceof SettlekitError)) throw error;
      return reply.code(400).send(error.message);
    }
    console.log(event.type, event.data.id);
    return reply.code(204).send();
  });
});
