#!/usr/bin/python3
"""Publishes numbers from 1, ten a second."""
import rospy
from std_msgs.msg import String

rospy.init_node("talker")
numbers = rospy.Publisher("numbers", String, queue_size=10)
rate = rospy.Rate(10)
number = 0
while not rospy.is_shutdown():
    number += 1
    numbers.publish(String(str(number)))
    rate.sleep()
