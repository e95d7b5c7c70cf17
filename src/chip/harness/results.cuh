/* Writes results as lines of JSON. */
#pragma once
#include "host.cuh"

static void add_value(std::string *out, const observable &o, const uint64_t *words) {
  unsigned __int128 v = words[0];
  char text[64];
  if (o.width > 64) v |= (unsigned __int128)words[1] << 64;
  if (o.kind == value_bits) {
    snprintf(text, sizeof text, "0x%0*llx", o.width / 4, (unsigned long long)words[0]);
    *out += text;
    return;
  }
  bool negative = o.kind == value_signed && (v >> (o.width - 1) & 1);
  if (negative) v = (o.width == 128 ? 0 : (unsigned __int128)1 << o.width) - v;
  char *at = text + sizeof text;
  *--at = '\0';
  do *--at = (char)('0' + (int)(v % 10)), v /= 10;
  while (v);
  if (negative) *--at = '-';
  *out += at;
}

static std::string state_of(const test &t, const uint64_t *words) {
  std::string out;
  for (uint32_t i = 0, w = 0; i < t.observable_count; i++) {
    out += out.empty() ? "" : " ";
    out += t.observables[i].name;
    out += "=";
    add_value(&out, t.observables[i], words + w);
    out += ";";
    w += t.observables[i].width > 64 ? 2 : 1;
  }
  return out;
}

static std::string number(unsigned long long n) { return std::to_string(n); }

static std::string quoted(const char *text) {
  std::string out = "\"";
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') out += '\\';
    out += (unsigned char)*text < ' ' ? ' ' : *text;
  }
  return out + "\"";
}

#ifndef CHIP_FLAGS
#define CHIP_FLAGS ""
#endif

static std::string compiler() {
#ifdef __clang__
  return "clang " + number(__clang_major__) + "." + number(__clang_minor__) + "." + number(__clang_patchlevel__);
#else
  return "nvcc " + number(__CUDACC_VER_MAJOR__) + "." + number(__CUDACC_VER_MINOR__) + "." +
         number(__CUDACC_VER_BUILD__);
#endif
}

static std::string machine(const progress &p) {
  std::string out = ",\"device\":" + quoted(p.device) + ",\"capability\":" + quoted(p.capability);
  out += ",\"driver\":" + quoted(p.driver) + ",\"cuda\":" + quoted(p.cuda);
  return out + ",\"compiler\":" + quoted(compiler().c_str()) + ",\"flags\":" + quoted(CHIP_FLAGS);
}

static std::string result(const test &t, const progress &p, const options &o, const char *ended) {
  std::string out = std::string("{\"format\":1,") + t.json + machine(p);
  char seconds[32];
  snprintf(seconds, sizeof seconds, "%.3f", p.seconds);
  out += ",\"seed\":" + number(o.seed) + ",\"runs\":" + number(p.runs) + ",\"seconds\":" + seconds;
  out += ",\"unfinished\":" + number(p.seen.unfinished) + ",\"ended\":" + quoted(ended) + ",\"outcomes\":[";
  bool any = false;
  for (uint32_t i = 0; i < table_size; i++) {
    if (p.seen.key[i] == no_key || p.seen.count[i] == 0) continue;
    out += any ? ",{" : "{";
    out += "\"state\":" + quoted(state_of(t, p.seen.value[i]).c_str()) + ",\"count\":" + number(p.seen.count[i]) + "}";
    any = true;
  }
  out += "]";
  if (t.gpus > 1) out += ",\"gpus\":" + number(t.gpus);
  if (p.shape[0]) out += std::string(",\"shape\":") + p.shape;
  return out + "}\n";
}

static std::string left_out(const test &t, const char *reason) {
  return std::string("{\"format\":1,") + t.json + ",\"left_out\":" + quoted(reason) + "}\n";
}

static void write_all(int fd, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("writing the results", strerror(errno));
    at += (size_t)n;
  }
}
