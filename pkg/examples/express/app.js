import express from "express";
import { SettlekitError, verify } from "settlekit/webhooks";

export const app = express();

// Before any express.json(): the signature covers the raw bytes.
app.post("/hook", express.raw({ type: "application/json" }), (request, response) => {
  let event;
  try {
    event = verify(request.body, request.headers, process.env.SETTLEKIT_WEBHOOK_KEY);
  } catch (error) {
    if (!(error instanceof SettlekitError)) throw error;
    response.status(400).send(error.message);
    return;
  }
  console.log(event.type, event.data.id);
  response.sendStatus(204);
});

app.use(express.json());
