// SPDX-License-Identifier: Apache-2.0
// What single messages need beyond taking values: the tables name these. Private to src/joblog.
#ifndef NEUTOP_JOBLOG_STEPS_H
#define NEUTOP_JOBLOG_STEPS_H

#include "joblog/message.h"

message_accept accept_compat;      // joins the line with the range to the line with the id
message_accept accept_status;      // the name of a number; statuses that are no error are left out
message_accept accept_status_name; // the number of a name, the name of a number
message_accept accept_build;       // only builds of the Neuron driver
message_accept accept_reset;       // tells a reset that failed from one that did not

message_after after_memory;  // the table of categories follows
message_after after_process; // the record names a process besides the one that wrote it
message_after after_modinfo; // the version follows

#endif
