// A form that creates a payment link, in React. The shop's server adds the API key.

import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { read, validate, validateField } from "settlekit/core";

const LABELS = { name: "Name", amount: "Amount", currency: "Currency" };

function PaylinkForm() {
  const form = useRef(null);
  const [values, setValues] = useState({ name: "", amount: "", currency: "USDC" });
  const [errors, setErrors] = useState([]);
  const [paylink, setPaylink] = useState(null);
  const messageOf = (name) => errors.find(({ field }) => field === name)?.message;

  function change({ target: { name, value } }) {
    const changed = { ...values, [name]: value };
    setValues(changed);
    setErrors([...errors.filter(({ field }) => field !== name), ...validateField("CreatePaylink", name, value, changed)]);
  }

  function show(errors) {
    // The message must be there before its field has the focus, or a screen reader does not read it.
    flushSync(() => setErrors(errors));
    form.current.querySelector("[aria-invalid=true]")?.focus();
  }

  async function submit(event) {
    event.preventDefault();
    const errors = validate("CreatePaylink", values);
    show(errors);
    if (errors.length > 0) return;
    const headers = { "content-type": "application/json" };
    const response = await fetch("/paylinks", { method: "POST", headers, body: JSON.stringify(values) });
    const { value, error } = read("CreatePaylink", { status: response.status, headers: response.headers, body: await response.text() });
    if (error) show(error.errors);
    else setPaylink(value);
  }

  return (
    <form ref={form} noValidate onSubmit={submit}>
      {Object.entries(LABELS).map(([name, label]) => (
        <p key={name}>
          <label htmlFor={name}>{label}</label>{" "}
          <input id={name} name={name} value={values[name]} onChange={change} aria-invalid={messageOf(name) !== undefined} aria-describedby={`${name}-error`} />{" "}
          <span id={`${name}-error`}>{messageOf(name)}</span>
        </p>
      ))}
      <button>Create link</button>
      <p role="alert">{errors.filter(({ field }) => !(field in LABELS)).map(({ message }) => message).join(" ")}</p>
      <p role="status">{paylink && `Link created: ${paylink.id}`}</p>
    </form>
  );
}

createRoot(document.querySelector("#root")).render(<PaylinkForm />);
