import { nextTick, onMounted, watch } from "vue";
import { useData } from "vitepress";
import Theme from "vitepress/theme-without-fonts";

import CodeSamples from "./CodeSamples.vue";
import RunExample from "./RunExample.vue";
import "./style.css";

export default {
  extends: Theme,
  setup() {
    const { frontmatter } = useData();
    // The theme's first page has no main element.
    const mark = () => {
      const content = document.getElementById("VPContent");
      if (frontmatter.value.layout === "home") content?.setAttribute("role", "main");
      else content?.removeAttribute("role");
    };
    onMounted(() => watch(frontmatter, () => nextTick(mark), { immediate: true }));
  },
  enhanceApp({ app }) {
    app.component("CodeSamples", CodeSamples);
    app.component("RunExample", RunExample);
  },
};
